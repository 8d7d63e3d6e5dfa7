" Recognises MDP assembly by its contents: a first line that names it, what it includes,
" a directive or an operand that other assemblers do not have. vim has taken *.s for
" another kind by now, so the type is set, not proposed.
autocmd BufRead,BufNewFile *.s,*.inc
    \ if getline(1) =~# '^;.*\%(\<MDP\>\|J-Machine\|ft=mdp\)' ||
    \   search('\c^\s*\%([.$A-Za-z0-9_]\+:\s*\)*\%('
    \     . '\.include\s*"\%(kernel\|services\|mdp\)\.inc"'
    \     . '\|\.\%(msg\|addr\|ip\)\s'
    \     . '\|\%(suspend\|ldipr\?\|readr\|writer\|[rw]tag\|send2\?e\?\|xlate\|bnn\?il\)\>'
    \     . '\|\a\+\s[^;]*\[[^];]*,\s*a[0-3]\]'
    \     . '\|\%(br\|bz\|bnz\|bt\|bf\|bnil\|bnnil\)\s[^;]*\^'
    \     . '\)', 'nw') |
    \   set filetype=mdp |
    \ endif
