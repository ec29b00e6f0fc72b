#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The option tables of docs/methods, from the tool itself.

    method_tables.py PATH_TO_FOLDOUT [--write]

A page holds a table between <!-- keys: NAME KIND --> and <!-- end -->. Without --write the pages are compared with what
the tool says; a component without a page is an error too.
"""
import json
import pathlib
import re
import subprocess
import sys

tool, write = sys.argv[1], "--write" in sys.argv
pages = pathlib.Path(__file__).resolve().parent.parent / "docs"
components = json.loads(subprocess.run([tool, "methods", "--json"], check=True, capture_output=True, text=True).stdout)
problems, documented = [], set()


def table(name, kind):
    for component in components["components"]:
        if (component["name"], component["kind"]) == (name, kind):
            break
    else:
        problems.append(f"there is no {kind} {name}")
        return ""
    documented.add((name, kind))
    if not component["keys"]:
        return "It has no keys.\n"
    lines = ["| key | default | allowed | meaning | symbol |", "|---|---|---|---|---|"]
    for key in component["keys"]:
        allowed = key["range"].replace("|", "\\|")
        lines.append(f"| `{key['name']}` | {key['default']} | {allowed} | {key['meaning']} | {key['symbol']} |")
    return "\n".join(lines) + "\n"


for page in sorted(pages.rglob("*.md")):
    text = page.read_text()
    fresh = re.sub(r"(<!-- keys: (\S+) (\S+) -->\n)(.*?)(<!-- end -->)",
                   lambda m: m[1] + table(m[2], m[3]) + m[5], text, flags=re.S)
    if fresh != text:
        if write:
            page.write_text(fresh)
            print(f"wrote {page.name}")
        else:
            problems.append(f"docs/{page.relative_to(pages)}: the table of keys is out of date, run `make docs`")
for component in components["components"]:
    if (component["name"], component["kind"]) not in documented:
        problems.append(f"the {component['kind']} {component['name']} is not documented in docs/")
print("\n".join(problems) or f"{len(documented)} tables of keys agree with the tool")
sys.exit(1 if problems else 0)
