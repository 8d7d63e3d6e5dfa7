# jm exp report on folders of results from somebody else.
. tests/cli/check.sh
python3 tests/report/hostile.py "$jm" "$work"
