"""A preprocessor of mdBook: rewrites the links of pages, which lead to files of the repository.

A page of docs/ is read in the repository, in rustdoc and in the book. Its links are relative to its file, as GitHub wants them (rustdoc
has definitions of its own in src/guide.rs). In the book, a link to another page stays. A link to the explorer's sources leads to the
explorer. A link to another file of the repository leads to GitHub. A link to a missing file fails the build, and so does a page that the
book or rustdoc leaves out.

mdBook runs it in the folder of book.toml: https://rust-lang.github.io/mdBook/for_developers/preprocessors.html
"""

import json
import posixpath
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOB = "https://github.com/supremum-rs/supremum/blob/main/"
PAGES = "docs"
EXPLORER = "cli/site"
# The README is included as this page; its links are relative to the root.
INTRODUCTION = "introduction.md"

# Badges are pictures of other servers, which the book does not load.
BADGE = re.compile(r"^\[!\[.*\n", re.MULTILINE)
# `](target)`, and `[name]: target` at the start of a line.
LINK = re.compile(r"(\]\(|^\[[^\]]+\]:[ ]+)([^)\s]+)", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```[^\n]*$", re.MULTILINE | re.DOTALL)


def rewritten(page, target):
    """The link of a page in the book. Raises ValueError if it leads to a missing file."""
    if re.match(r"[a-z]+:|#", target):
        return target
    path, hash_sign, fragment = target.partition("#")
    folder = "" if page == INTRODUCTION else posixpath.join(PAGES, posixpath.dirname(page))
    found = posixpath.normpath(posixpath.join(folder, path))
    if found.startswith("..") or not (ROOT / found).exists():
        raise ValueError(f"docs/{page}: the link to `{target}` leads to no file")
    here = posixpath.join(PAGES, posixpath.dirname(page))
    if found == EXPLORER:
        return posixpath.relpath(f"{PAGES}/explore/index.html", here) + hash_sign + fragment
    if found.startswith(f"{PAGES}/"):
        return posixpath.relpath(found, here) + hash_sign + fragment
    return BLOB + found + hash_sign + fragment


def rewrite(page, text, faults):
    """The page's text with its links rewritten, except in blocks of code."""

    def link(match):
        try:
            return match[1] + rewritten(page, match[2])
        except ValueError as fault:
            faults.append(str(fault))
            return match[0]

    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(link, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join(parts) + LINK.sub(link, text[end:])


def chapters(items):
    """The chapters of a book, and those in them."""
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter and chapter["path"]:
            yield chapter
            yield from chapters(chapter["sub_items"])


def left_out(listed):
    """The pages that the book leaves out, and those whose examples rustdoc does not test."""
    rustdoc = (ROOT / "src/guide.rs").read_text(encoding="utf-8")
    for path in sorted((ROOT / PAGES).rglob("*.md")):
        page = path.relative_to(ROOT / PAGES).as_posix()
        if page != "SUMMARY.md" and page not in listed:
            yield f"docs/{page} is missing in docs/SUMMARY.md"
        if "```rust" in path.read_text(encoding="utf-8") and f"../{PAGES}/{page}" not in rustdoc:
            yield f"docs/{page} has Rust that src/guide.rs does not include, so that it is not tested"


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    _, book = json.load(sys.stdin)
    pages = list(chapters(book["items"]))
    faults = list(left_out({page["path"] for page in pages}))
    for page in pages:
        page["content"] = rewrite(page["path"], BADGE.sub("", page["content"]), faults)
    if faults:
        sys.exit("\n".join(faults))
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
