"""Makes drawing quicker where a template shows ready strings: a run of texts and such strings is filled in at once.

`{{ name }}` costs Django the same however ready the string is, and a card has fifty of them. They need neither escaping
nor a look at language and time zone, so Python's `%` may put them in their places. In such a template every name
without a dot or filter must be a ready string (tests/feed/cards/test_ready_strings.py).
"""

from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from typing import Any

from django.template import Template
from django.template.base import Node, NodeList, TextNode, VariableNode
from django.template.context import Context
from django.template.defaulttags import IfNode

from socialsite.web.templatetags.site import InlinedNode


class Run(Node):
    """Texts and ready strings that follow each other. The strings are the last thing that was put into the context."""

    def __init__(self, text: str) -> None:
        self.text = text

    def render(self, context: Context) -> Any:
        return self.text % context.dicts[-1]


@lru_cache(8)
def in_runs(template: Template) -> Template:
    """Returns the template with its runs joined, also those within conditions."""
    quicker = copy(template)
    quicker.nodelist = _joined(template.nodelist)
    return quicker


def _joined(nodes: NodeList) -> NodeList:
    found, run = NodeList(), ""
    for node in _flat(nodes):
        text = _text_of(node)
        if text is None:
            found += [*([Run(run)] if run else ()), _quicker(node)]
            run = ""
        else:
            run += text
    return NodeList([*found, *([Run(run)] if run else ())])


def _flat(nodes: NodeList) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, InlinedNode):
            yield from _flat(node.nodelist)
        else:
            yield node


def _text_of(node: Node) -> str | None:
    """Returns the node as a part of a run, None if it cannot be that."""
    if isinstance(node, TextNode):
        return node.s.replace("%", "%%")
    if isinstance(node, VariableNode) and (name := str(node.filter_expression)).isidentifier():
        return f"%({name})s"
    return None


def _quicker(node: Node) -> Node:
    if not isinstance(node, IfNode):
        return node
    quicker = copy(node)
    quicker.conditions_nodelists = [
        (condition, _joined(one)) for condition, one in node.conditions_nodelists
    ]
    return quicker
