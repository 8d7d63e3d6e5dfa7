# Every link of the site leads to a page or file of it, those to a heading to one that
# is there, and every page of the manual is reached from the machine's page.
. tests/programs/common.sh

if ! [ -e "$BUILD/web/index.html" ]; then
    echo "skipped: no page (make web)"
    exit 0
fi

# walk SITE: prints its mistakes.
walk() {
    python3 - "$1" <<'END'
import os, sys
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag

class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.links.append(value)
            elif name == "id" or (tag == "a" and name == "name"):
                self.places.add(value)

site = os.path.realpath(sys.argv[1])
pages, ahead, links = {}, [site + "/index.html"], 0
while ahead:
    path = ahead.pop()
    if path in pages:
        continue
    pages[path] = page = Page(path)
    for link in page.links:
        if link.startswith(("data:", "https:")):
            continue
        links += 1
        name, place = urldefrag(link)
        target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(name))) \
            if name else path
        where = f"{os.path.relpath(path, site)}: {link}"
        if not target.startswith(site) or not os.path.isfile(target):
            print(where, "leads nowhere")
        elif target.endswith(".html"):
            ahead.append(target)
            if place and target != site + "/index.html" and \
                    place not in Page(target).places:
                print(where, "has no such heading")
for folder, _, names in os.walk(site):
    for name in names:
        if name.endswith(".html") and os.path.join(folder, name) not in pages:
            path = os.path.relpath(os.path.join(folder, name), site)
            print(path, "is reached by no link")
print(f"{links} links of {len(pages)} pages", file=sys.stderr)
END
}
walk "$BUILD/web" >"$folder/wrong" 2>"$folder/count"
[ ! -s "$folder/wrong" ]
passed $? "the site: $(cat "$folder/wrong")"
pages=$(sed 's/.* of \([0-9]*\) pages/\1/' "$folder/count")
[ "$pages" -gt "$(find tools/docs -name '*.md' | wc -l)" ]
passed $? "$pages pages are walked"
for source in tools/docs/*.md; do
    test -s "$BUILD/web/manual/$(basename "$source" .md).html"
    passed $? "$source is on the site"
done

# What is wrong is found.
mkdir -p "$folder/site"
echo '<a href="b.html#here">b</a> <a href="none.html">c</a>' >"$folder/site/index.html"
echo '<h1 id="there">b</h1>' >"$folder/site/b.html"
echo >"$folder/site/d.html"
walk "$folder/site" >"$folder/wrong" 2>/dev/null
[ "$(LC_ALL=C sort "$folder/wrong")" = "d.html is reached by no link
index.html: b.html#here has no such heading
index.html: none.html leads nowhere" ]
passed $? "wrong links are found: $(cat "$folder/wrong")"
finish
