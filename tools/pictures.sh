#!/bin/sh
# pictures.sh: renews the pictures of README.md and of the manual: the page, when the
# first queue is full; a figure; Neovim with the language server, as tmux
# shows it. Needs a finished build with the page in $BUILD, and what `tools/deps.sh
# pictures` installs.
set -eu
: "${BUILD:=build}"
build=$(cd "$BUILD" && pwd)
folder=$build/pictures
mkdir -p "$folder"

browse() { # PAGE STEPS
    python3 tests/report/browse.py chromium "$folder/profile" "$1" "$2"
}
browse "$build/web/index.html" tools/docs/pictures.steps
cp "$folder/page.webp" tools/docs/page.webp

"$build/jm" exp run fig4-4 --quick --resume --quiet --out "$folder/figure"
"$build/jm" exp report --out "$folder/figure" >"$folder/said"
sed '0,/fill="none"/s//fill="white"/' "$folder/figure/fig4-4.svg" >tools/docs/fig4-4.svg

# The tour of README.md, with two slips; the cursor stands on an instruction and asks.
sed -n "/^cat >tour\.s/,/^EOF/{//d;p;}" README.md |
    sed 's/^\(  *store *r1,tot\)al/\1l/; s/^\(  *suspen\)d/\1/' >"$folder/tour.s"
cat >"$folder/init.lua" <<END
vim.opt.runtimepath:append("$build/editors")
dofile("$PWD/tools/editors/neovim.lua")
vim.o.number, vim.o.signcolumn, vim.o.background = true, "yes", "light"
END
terminal() {
    PATH=$build:$PATH tmux -L pictures -f /dev/null "$@"
}
terminal new-session -d -s nvim -x 100 -y 29 -c "$folder" \
    "nvim -n -u init.lua -c 'syntax on' -c 'set ft=mdp' tour.s"
sleep 4
terminal send-keys -t nvim 10Gw K
sleep 3
terminal capture-pane -e -p -t nvim >"$folder/screen"
terminal kill-server
{
    echo '<!DOCTYPE html><meta charset="utf-8">'
    echo '<body style="margin:10px; background:white">'
    echo '<pre style="font: 14px/1.3 monospace; margin:0">'
    aha --no-header <"$folder/screen"
    echo '</pre>'
} >"$folder/neovim.html"
cat >"$folder/neovim.steps" <<'END'
size 870 550
shot neovim.webp
END
browse "$folder/neovim.html" "$folder/neovim.steps"
cp "$folder/neovim.webp" tools/docs/neovim.webp
