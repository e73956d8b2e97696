"""Marks the words of a search in the text of a card."""

import html
import re
from collections.abc import Sequence

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from feed.cards import PostCard
from relations.spelling import find_folded

MOST_MARKS = 3  # in a post: a page of twenty stays small however often a letter stands in them

_tags = re.compile(r"(<[^>]*>)")


def mark_in(card: PostCard, words: Sequence[str]) -> PostCard:
    """Returns the card with the words marked, the first three of them. Words that links break apart stay plain."""
    return card._replace(html=_mark(card.html, words))


def _mark(text: SafeString, words: Sequence[str]) -> SafeString:
    parts, left = [], MOST_MARKS
    for part in _tags.split(text):
        if part.startswith("<"):
            parts.append(part)
            continue
        plain, position = html.unescape(part), 0
        for start, end in find_folded(plain, words)[:left]:
            parts.append(f"{escape(plain[position:start])}<mark>{escape(plain[start:end])}</mark>")
            position, left = end, left - 1
        parts.append(escape(plain[position:]))
    return mark_safe("".join(parts))  # noqa: S308 - what stands outside tags is escaped again
