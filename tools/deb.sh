#!/bin/sh
# deb.sh ROOT DEB: packs what was installed below ROOT (PREFIX /usr) as a Debian
# package.
# It depends on the packages of the libraries that its programs are linked with.
set -eu
root=$1
deb=$2
version=$(sed -n 's/.*JM_VERSION "\(.*\)"/\1/p' emu/jm.h)
architecture=$(dpkg --print-architecture)

# The package of each library, as this system has it.
needs() {
    for program in "$root"/usr/bin/*; do
        ldd "$program"
    done | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u | while read -r library; do
        library=$(readlink -f "$library") # dpkg knows some without their /usr
        dpkg-query -S "$library" 2>/dev/null || dpkg-query -S "${library#/usr}"
    done | sed 's/:.*//' | sort -u
}
depends=$(needs | paste -sd , | sed 's/,/, /g')
size=$(du -sk "$root/usr" | cut -f 1)
mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: jm
Version: $version
Section: science
Priority: optional
Architecture: $architecture
Maintainer: The J-Machine project <jm@localhost>
Installed-Size: $size
Depends: $depends
Recommends: gnuplot-nox
Description: cycle-level emulator of the MIT J-Machine
 The J-Machine is a mesh of Message-Driven Processors. With the emulator come an
 assembler, a linker, a disassembler, a debugger that goes back in time, a small kernel,
 example programs, and models of the network.
END
find "$root/usr" -type d -exec chmod 755 {} +
# The package that is there stays until the new one is whole.
dpkg-deb --root-owner-group --build "$root" "$deb.new" >/dev/null || {
    rm -f "$deb.new"
    exit 1
}
mv "$deb.new" "$deb"
echo "$deb"
