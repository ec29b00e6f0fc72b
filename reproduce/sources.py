# SPDX-License-Identifier: Apache-2.0
"""What a cell depends on: its function and everything of this package that it refers to, without comments and docstrings.

A cell that was computed by other code is computed again; a change of a text, a claim or a comment keeps it.
"""
import ast
import functools
import importlib
import inspect


@functools.lru_cache(maxsize=None)
def definitions(module):
    """The functions, classes and constants of a module by name; for names imported from this package: (module, name)."""
    found = {}
    for node in ast.parse(inspect.getsource(importlib.import_module(module))).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = without_docstring(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found.update({n.id: node for n in ast.walk(target) if isinstance(n, ast.Name)})
        elif isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            found.update({a.asname or a.name: (f"{__package__}.{node.module}", a.name) for a in node.names})
    return found


def without_docstring(node):
    if ast.get_docstring(node):
        node.body = node.body[1:] or [ast.Pass()]
    return node


def source(module, name):
    """The code of a name of a module and, sorted, of all that it refers to, directly or not."""
    seen, waiting = {}, [(module, name)]
    while waiting:
        where, what = waiting.pop()
        node = definitions(where).get(what)
        if node is None or (where, what) in seen:
            continue
        if isinstance(node, tuple):
            waiting.append(node)
            continue
        seen[where, what] = ast.dump(node)
        waiting += [(where, n.id) for n in ast.walk(node) if isinstance(n, ast.Name)]
    return [seen[key] for key in sorted(seen)]
