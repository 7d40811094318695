"""A handler's source, read but never run."""

import ast

from dynaboard.errors import Invalid

METHODS = ("load", "predict")


def check_handler_source(source: bytes, file: str, wanted: str) -> None:
    """Raises Invalid unless the Python in `source` defines or imports the class `wanted` with the contract's methods.

    A class with bases may inherit its methods from anywhere, so only one without is held to them.
    """
    module = _parse(source, file)
    classes = [node for node in ast.walk(module) if isinstance(node, ast.ClassDef) and node.name == wanted]
    if not classes and not _imports(module, wanted):
        raise Invalid(f"{file} has no class {wanted!r}; write it, or correct `handler` in dynaboard.yaml.")
    for node in (node for node in classes if not node.bases):
        defined = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        for method in METHODS:
            if method not in defined:
                raise Invalid(f"{file}: class {wanted!r} has no method {method}(); write it as the contract says.")


def _parse(source: bytes, file: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise Invalid(f"{file} is not valid Python (line {error.lineno or 1}): {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError):
        raise Invalid(f"{file} is not valid Python: it cannot be parsed.") from None


def _imports(module: ast.Module, wanted: str) -> bool:
    froms = (node for node in ast.walk(module) if isinstance(node, ast.ImportFrom))
    return any(wanted == (alias.asname or alias.name) or alias.name == "*" for node in froms for alias in node.names)
