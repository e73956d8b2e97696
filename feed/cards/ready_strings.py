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
from typing import Any, NamedTuple
from urllib.parse import quote

from django.template import Template
from django.template.base import Node, NodeList, TextNode, VariableNode
from django.template.context import Context
from django.template.defaulttags import IfNode
from django.utils.safestring import SafeString

from accounts.people.cards import count_text
from accounts.people.viewer import Viewer
from feed.cards.post_card import PostCard
from feed.cards.words import likes_word, quotes_word, replies_word, reposts_word, words_of
from socialsite.web.preferences import ago, full_date
from socialsite.web.templatetags.site import InlinedNode

Strings = dict[str, SafeString]

NO, YES, OFF, ON, FALSE, TRUE = map(SafeString, ("", "1", "0", "1", "false", "true"))
FACE_SIZE = SafeString("44")


class Body(NamedTuple):
    """All that a card shows of its post and author, besides times, buttons and what few cards have. The same for
    everyone who reads it in the language."""

    language: str | None
    id: str
    url: str
    author_url: str
    name: str
    handle: str
    avatar_url: str
    initial: str  # as the colour, shown without a picture alone
    tone: str
    iso: str
    html: SafeString
    lang: str
    fold: str
    is_indexed: bool


class Buttons(NamedTuple):
    """All that the buttons of a card show: counts, and the viewer's own marks."""

    language: str | None
    id: str
    url: str
    is_signed_in: bool
    likes: int
    liked: bool
    replies: int
    has_repost_button: bool
    reposts: int
    reposted: bool
    quotes: int = 0  # shown on the page of the post alone
    detail: bool = False


def body_of(card: PostCard, language: str | None) -> Body:
    author = card.author
    picture = author.avatar_url
    return Body(
        language,
        card.post_id,
        card.url,
        author.url,
        author.name,
        author.handle,
        picture,
        "" if picture else author.initial,
        "" if picture else str(author.tone),
        card.iso,
        ready(card.html),
        card.lang,
        card.fold,
        author.is_indexed,
    )


def buttons_of(
    card: PostCard, language: str | None, *, is_signed_in: bool, detail: bool = False
) -> Buttons:
    return Buttons(
        language,
        card.post_id,
        card.url,
        is_signed_in,
        card.like_count,
        card.liked,
        card.reply_count,
        card.reposted or card.can_be_reposted,
        card.repost_count,
        card.reposted,
        card.quote_count if detail else 0,
        detail,
    )


def strings_of(
    card: PostCard, language: str | None, viewer: Viewer
) -> dict[str, SafeString | Strings]:
    """Returns what every card shows, by its name in `feed/_post.html`. `language` is the one at hand, which a
    page looks up once for all its cards."""
    return {
        **strings_of_body(body_of(card, language)),
        **strings_of_buttons(buttons_of(card, language, is_signed_in=viewer.is_authenticated)),
        **times_of(card, language),
    }


def strings_of_body(body: Body) -> dict[str, SafeString | Strings]:
    return {
        "id": ready(body.id),
        "url": ready(body.url),
        "author_url": ready(body.author_url),
        "name": ready(body.name),
        "handle": ready(body.handle),
        "person": {
            "avatar_url": ready(body.avatar_url),
            "initial": ready(body.initial),
            "tone": ready(body.tone),
            "size": FACE_SIZE,
        },
        "iso": ready(body.iso),
        "html": body.html,
        "lang": ready(body.lang),
        "fold": ready(body.fold),
        "is_indexed": YES if body.is_indexed else NO,
    }


def strings_of_buttons(buttons: Buttons) -> Strings:
    likes, replies, reposts, quotes, language = (
        buttons.likes,
        buttons.replies,
        buttons.reposts,
        buttons.quotes,
        buttons.language,
    )
    return {
        **words_of(language),
        "id": ready(buttons.id),
        "url": ready(buttons.url),
        "is_signed_in": YES if buttons.is_signed_in else NO,
        "sign_in_url": NO if buttons.is_signed_in else _sign_in_url(buttons.url),
        "likes": ready(count_text(likes, language)),
        "likes_word": likes_word(likes, language),
        "has_likes": YES if likes else NO,
        "like_next": OFF if buttons.liked else ON,
        "liked": TRUE if buttons.liked else FALSE,
        "replies": ready(count_text(replies, language)) if replies else NO,
        "replies_word": replies_word(replies, language) if replies else NO,
        "has_repost_button": YES if buttons.has_repost_button else NO,
        "reposts": ready(count_text(reposts, language)) if reposts else NO,
        "reposts_word": reposts_word(reposts, language) if reposts else NO,
        "repost_next": OFF if buttons.reposted else ON,
        "reposted": TRUE if buttons.reposted else FALSE,
        "quotes": ready(count_text(quotes, language)) if quotes else NO,
        "quotes_word": quotes_word(quotes, language) if quotes else NO,
    }


def times_of(card: PostCard, language: str | None) -> Strings:
    """Returns when the post was written: the whole date, in the zone at hand, and how long ago that is."""
    return {
        "when": ready(full_date(card.created, language)),
        "ago": ready(ago(card.created, language)),
    }


def is_rare(card: PostCard) -> bool:
    """Whether the card shows what most cards do not. Its template then looks at the card itself, and such a card is
    never kept: some of that depends on the reader, or on the hour."""
    return bool(
        card.reposters
        or card.edited_at
        or card.audience
        or card.root_id
        or card.part_count
        or card.withheld
        or any(not photo.is_public for photo in card.photos)
        or card.poll
        or card.quote_of
        or card.expires
        or card.imported
        or card.is_covered
    )


def _sign_in_url(url: str) -> SafeString:
    return ready(f"/login?next={quote(url)}")


def ready(text: str) -> SafeString:
    """Returns the text as it may stand in HTML."""
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
