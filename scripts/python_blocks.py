"""Runs the Python blocks of a page in the order in which they stand there, as one program: python_blocks.py docs/cookbook.md."""

import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"```python\n(.*?)\n```", page, re.DOTALL)
assert blocks, f"no Python in {sys.argv[1]}"
program = "\n".join(blocks)
exec(compile(program, sys.argv[1], "exec"))
print(f"{sys.argv[1]}: {len(blocks)} blocks, {len(program.splitlines())} lines")
