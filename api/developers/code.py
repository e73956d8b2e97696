"""What the code says of the API: its addresses, and which parameters a view asks for."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, get_resolver

ADDRESSES = "api.urls"
NAMED = re.compile(r"\(\?P<(\w+)>((?:\[[^]]*\]|[^()[\]])*)\)")
CHOICE = re.compile(r"\(\?:([^()]*)\)(\??)|\[(\w+)\]()")
ID = ("name", "user_id", "place")  # what the code calls the id in an address


@dataclass(frozen=True, slots=True)
class Address:
    """An address with the view of each method. `parts` are what stands in it, each with its pattern."""

    path: str
    called: str
    views: Mapping[str, Callable[..., Any]]
    parts: Mapping[str, str] = field(default_factory=dict)


def addresses() -> Iterator[Address]:
    """Yields what clients can call, without pages for people."""
    for pattern in get_resolver(ADDRESSES).url_patterns:
        if isinstance(pattern, URLPattern) and hasattr(pattern.callback, "views"):
            yield from _addresses(pattern)


def _addresses(pattern: URLPattern) -> Iterator[Address]:
    regex = str(pattern.pattern).removeprefix("^").removesuffix("$").removesuffix("/?")
    parts: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        called = "id" if found[1] in ID and "id" not in parts else found[1]
        parts[called] = found[2]
        return f"{{{called}}}"

    views: Mapping[str, Callable[..., Any]] = pattern.callback.views  # type: ignore[attr-defined]
    for path in dict.fromkeys(_choices(NAMED.sub(name, regex))):
        yield Address(f"/{path.replace(chr(92), '')}", pattern.name or "", views, parts)


def _choices(regex: str) -> Iterator[str]:
    """Yields the addresses for which an expression with choices stands."""
    found = CHOICE.search(regex)
    if found is None:
        yield regex
        return
    words = list(found[3]) if found[3] else found[1].split("|") + [""] * bool(found[2])
    for word in words:
        yield from _choices(f"{regex[: found.start()]}{word}{regex[found.end() :]}")


TYPES = {"get": "text", "flag": "flag", "all": "list"}
OF_PAGES = {"cursor_for": ("max_id", "min_id")}  # they are asked for in a loop


def asked_by(view: Callable[..., Any]) -> dict[str, str]:
    """Returns the parameters that a view asks for, with the kind of each, as its code has them: `sent.get("q")`."""
    return dict(_asked(view, set()))


def _asked(view: Callable[..., Any], seen: set[Callable[..., Any]]) -> Iterator[tuple[str, str]]:
    view = inspect.unwrap(view)
    if view in seen or not inspect.isfunction(view):
        return
    seen.add(view)
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(view)))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=of, attr="get" | "flag" | "all" as kind),
                args=[ast.Constant(value=str(name)), *_],
            ) if _is_sent(of):
                yield name, TYPES[kind]
            case ast.Subscript(
                value=ast.Attribute(value=of, attr="files"), slice=ast.Constant(value=str(name))
            ) if _is_sent(of):
                yield name, "file"
            case ast.Compare(
                left=ast.Constant(value=str(name)), ops=[ast.In()], comparators=[of]
            ) if _is_sent(of):
                yield name, "text"
            case ast.Call(func=ast.Name(id=called)):
                yield from ((name, "text") for name in OF_PAGES.get(called, ()))
                other = view.__globals__.get(called)
                if getattr(other, "__module__", "").startswith("api."):
                    yield from _asked(other, seen)  # type: ignore[arg-type]


def _is_sent(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="sent") | ast.Attribute(attr="sent"):
            return True
    return False
