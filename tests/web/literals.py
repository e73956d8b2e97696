"""Finds words that someone would read in one language only: in templates, and in what Python answers."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.template.base import Lexer, TokenType

LETTERS = re.compile(r"[^\W\d_]")
SPOKEN_ATTRIBUTES = {"aria-label", "aria-description", "alt", "title", "placeholder", "label"}
SPOKEN_META = {"description", "og:title", "og:description", "twitter:title"}
SPOKEN_BUTTONS = {"submit", "button", "reset"}
NOT_READ = {"script", "style", "kbd", "code"}
NAMES = {"socialsite", "R", "W", "ms"}  # and units: written the same in every language
STATES = {"on", "off", "true", "false"}  # of attributes, read by no person
WITH_TEXT = re.compile(r"""\b(?:text|label|title|heading)=["']([^"']+)["']""")
FILTER_TEXT = re.compile(r"""\|(?:default|default_if_none|yesno|join):["']([^"']+)["']""")


def literals_of_template(source: str) -> list[str]:
    """Words between and inside tags, in arguments of `include`, and in filters, that no gettext has seen."""
    found = []
    html = []
    within = ""  # the tag whose end is awaited
    for token in Lexer(source).tokenize():
        name = token.contents.split(maxsplit=1)[0] if token.contents.strip() else ""
        if within:
            within = "" if name == f"end{within}" else within
        elif token.token_type == TokenType.TEXT:
            html.append(token.contents)
        elif token.token_type == TokenType.BLOCK and name in ("blocktranslate", "comment"):
            within = name
        elif token.token_type == TokenType.BLOCK and name in ("include", "with"):
            found += [text for text in WITH_TEXT.findall(token.contents) if _is_read(text)]
        elif token.token_type == TokenType.VAR:
            texts = FILTER_TEXT.findall(token.contents)
            found += [
                text for text in texts if not set(text.split(",")) <= STATES and _is_read(text)
            ]
            html.append("0")
    return found + _Reader("".join(html)).found


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._not_read = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._not_read += tag in NOT_READ
        attributes = {name: value or "" for name, value in attrs}
        self.found += [
            value
            for name, value in attributes.items()
            if _is_spoken(tag, name, attributes) and _is_read(value)
        ]

    def handle_endtag(self, tag: str) -> None:
        self._not_read -= tag in NOT_READ

    def handle_data(self, data: str) -> None:
        if not self._not_read and _is_read(data):
            self.found.append(" ".join(data.split()))


def _is_spoken(tag: str, name: str, attributes: dict[str, str]) -> bool:
    if name == "content":
        return (attributes.get("name") or attributes.get("property")) in SPOKEN_META
    if name == "value":
        return tag == "input" and attributes.get("type") in SPOKEN_BUTTONS
    # What scripts say stands in data attributes: a sentence there is one that is read.
    return name in SPOKEN_ATTRIBUTES or (name.startswith("data-") and " " in attributes[name])


def _is_read(text: str) -> bool:
    return any(LETTERS.search(word) and word not in NAMES for word in re.findall(r"\w+", text))


SPOKEN_KEYWORDS = {"label", "help_text", "empty_label"}
GETTEXT = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "npgettext", "ngettext_lazy"}


def literals_of_python(source: str) -> list[str]:
    """Texts of messages, of forms and of their errors that are not marked, and marked ones that cannot be gathered."""
    return [ast.unparse(text) for text in _texts(ast.parse(source)) if _has_literal(text)]


def _texts(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id="messages")) | ast.Attribute(attr="add_error"):
                yield from node.args[1:]
            case ast.Name(id="ValidationError"):
                yield from node.args
            case ast.Name(id=name) if name in GETTEXT:
                yield from (arg for arg in node.args if isinstance(arg, ast.JoinedStr))
        for keyword in node.keywords:
            if keyword.arg in SPOKEN_KEYWORDS:
                yield keyword.value
            elif keyword.arg == "error_messages" and isinstance(keyword.value, ast.Dict):
                yield from keyword.value.values
            elif keyword.arg == "choices" and isinstance(keyword.value, ast.List):
                pairs = (pair for pair in keyword.value.elts if isinstance(pair, ast.Tuple))
                yield from (pair.elts[-1] for pair in pairs)


def _has_literal(text: ast.expr) -> bool:
    if isinstance(text, ast.Call):
        return False
    if isinstance(text, ast.List | ast.Tuple):
        return any(_has_literal(element) for element in text.elts)
    if isinstance(text, ast.BinOp):
        return _has_literal(text.left)
    return isinstance(text, ast.JoinedStr) or (
        isinstance(text, ast.Constant) and isinstance(text.value, str) and _is_read(text.value)
    )
