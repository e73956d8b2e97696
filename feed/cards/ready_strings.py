"""Cards as their template gets them: nothing but strings that are ready for HTML.

Django looks up, localises and escapes each value that a template shows, and a page of cards shows a thousand. What
every card shows is escaped here, once, and the template only puts it in its place. An empty string stands for no.

`{{ name }}` costs Django the same however ready the string is, and a card has fifty of them. They need neither escaping
nor a look at language and time zone, so Python's `%` may put them in their places: a run of texts and such strings is
filled in at once. In such a template every name without a dot or filter must be a ready string
(tests/feed/test_cards.py).
"""

from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import quote

from django.template import Template
from django.template.base import Node, NodeList, TextNode, VariableNode
from django.template.context import Context
from django.template.defaulttags import IfNode
from django.utils.safestring import SafeString

from accounts.people.cards import PersonCard, count_text
from accounts.people.viewer import Viewer
from feed.cards.post_card import PostCard
from feed.cards.words import likes_word, replies_word, reposts_word, words_of
from socialsite.web.preferences import ago, full_date
from socialsite.web.templatetags.site import InlinedNode

Strings = dict[str, SafeString]

NO, YES, OFF, ON, FALSE, TRUE = map(SafeString, ("", "1", "0", "1", "false", "true"))
FACE_SIZE = SafeString("44")


def strings_of(
    card: PostCard, language: str | None, viewer: Viewer
) -> dict[str, SafeString | Strings]:
    """Returns what every card shows, by its name in `feed/_post.html`. `language` is the one at hand, which a
    page looks up once for all its cards."""
    author, likes, replies, reposts = (
        card.author,
        card.like_count,
        card.reply_count,
        card.repost_count,
    )
    return {
        **words_of(language),
        "id": _ready(card.post_id),
        "url": _ready(card.url),
        "author_url": _ready(author.url),
        "name": _ready(author.name),
        "handle": _ready(author.handle),
        "person": _face_of(author),
        "iso": _ready(card.iso),
        "when": _ready(full_date(card.created, language)),
        "ago": _ready(ago(card.created, language)),
        "html": _ready(card.html),
        "lang": _ready(card.lang),
        "fold": _ready(card.fold),
        "is_indexed": YES if author.is_indexed else NO,
        "is_signed_in": YES if viewer.is_authenticated else NO,
        "sign_in_url": NO if viewer.is_authenticated else _sign_in_url(card.url),
        "likes": _ready(count_text(likes, language)),
        "likes_word": likes_word(likes, language),
        "has_likes": YES if likes else NO,
        "like_next": OFF if card.liked else ON,
        "liked": TRUE if card.liked else FALSE,
        "replies": _ready(count_text(replies, language)) if replies else NO,
        "replies_word": replies_word(replies, language) if replies else NO,
        "has_repost_button": YES if card.can_be_reposted or card.reposted else NO,
        "reposts": _ready(count_text(reposts, language)) if reposts else NO,
        "reposts_word": reposts_word(reposts, language) if reposts else NO,
        "repost_next": OFF if card.reposted else ON,
        "reposted": TRUE if card.reposted else FALSE,
    }


def is_rare(card: PostCard) -> bool:
    """Whether the card shows what most cards do not. Its template then looks at the card itself."""
    return bool(
        card.reposters
        or card.edited_at
        or card.audience
        or card.root_id
        or card.part_count
        or card.withheld
        or card.photos
        or card.poll
        or card.quote_of
        or card.expires
        or card.imported
        or card.is_covered
    )


def _face_of(person: PersonCard) -> Strings:
    """Returns what `_avatar.html` shows of a person."""
    return {
        "avatar_url": _ready(person.avatar_url),
        "initial": _ready(person.initial),
        "tone": _ready(str(person.tone)),
        "size": FACE_SIZE,
    }


def _sign_in_url(url: str) -> SafeString:
    return _ready(f"/login?next={quote(url)}")


def _ready(text: str) -> SafeString:
    # Not Django's `escape`, which does the same, but looks for lazy texts first.
    return text if isinstance(text, SafeString) else SafeString(escape(text))


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
