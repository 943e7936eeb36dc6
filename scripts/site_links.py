"""Checks the links within a written site: site_links.py DIR. Each has to lead to a file, and to an element with that id if it has a #."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# mdBook's page for missing addresses has links from the root of the server, and its sidebar is a page that scripts include.
LEFT_OUT = {"404.html", "toc.html"}


class Page(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def main():
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name not in LEFT_OUT}
    faults, checked = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            # The explorer's state stands behind its #.
            is_page = target in pages and target.parent.name != "explore"
            if not target.is_file():
                faults.append(f"{path.relative_to(site)}: {link} leads to no file")
            elif parts.fragment and is_page and unquote(parts.fragment) not in pages[target].ids:
                faults.append(f"{path.relative_to(site)}: {link} leads to no element")
    print(*faults, sep="\n")
    print(f"{len(pages)} pages, {checked} links, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
