" MDP assembly is known by what it includes or by a directive that others have not.
autocmd BufRead,BufNewFile *.s,*.inc
    \ if search('^\s*\.include\s*"kernel.inc"\|^\s*\.msg\>', 'nw') |
    \   setfiletype mdp |
    \ endif
