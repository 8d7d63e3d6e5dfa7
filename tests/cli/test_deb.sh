# make deb: the package names itself and what it needs, and its programs run from where
# it is unpacked.
. tests/cli/check.sh

command -v dpkg-deb >/dev/null || { echo "skipped: no dpkg-deb"; exit 0; }
export DPKG_DEB_COMPRESSOR_TYPE=none # a minute less
check "make deb" make --no-print-directory BUILD="$BUILD" DEB="$work/jm.deb" deb
check "it unpacks" dpkg-deb -x "$work/jm.deb" "$work/root"
version=$(sed -n 's/.*JM_VERSION "\(.*\)"/\1/p' emu/jm.h)
check "its version" [ "$(dpkg-deb -f "$work/jm.deb" Version)" = "$version" ]
for package in libc6 libelf1 libjansson4 libreadline8; do
    check "it needs $package" sh -c "dpkg-deb -f '$work/jm.deb' Depends |
        tr -d ' ' | tr , '\n' | grep -qx $package"
done
check "it needs no other machine's" sh -c "! dpkg-deb -f '$work/jm.deb' Depends |
    grep -q i386"
check "nothing of one user's" sh -c "! dpkg-deb -c '$work/jm.deb' |
    grep -v ' root/root '"
for file in copyright manual/tutorial.md manual/parameters.md; do
    check "$file" test -s "$work/root/usr/share/doc/jm/$file"
done
says_licence=$work/root/usr/share/doc/jm/copyright
check "no licence is told" grep -qi 'none has been chosen' "$says_licence"
# The existing package stays if the new one cannot be built.
echo kept >"$work/kept.deb"
mkdir -p "$work/bin"
printf '#!/bin/sh\nfor last; do :; done\necho half >"$last"\nexit 1\n' \
    >"$work/bin/dpkg-deb"
chmod +x "$work/bin/dpkg-deb"
status 1 env PATH="$work/bin:$PATH" sh tools/deb.sh "$work/root" "$work/kept.deb"
check "the old package is there" grep -qx kept "$work/kept.deb"
cd "$work" || exit 1
status 0 root/usr/bin/jm run root/usr/share/doc/jm/examples/hello/hello.s
says out "hello, world"
finish
