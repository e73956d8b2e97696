"""What each edit of a post changed: the words that it added to the text and those that it took away."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import regex
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from socialsite.texts.scripts import UNSPACED

# Of what `rich_text` makes: a link, a sign of a script that knows no spaces, a word; each with the space behind it.
WORD = regex.compile(
    rf"<a .*?</a>\s*|[{UNSPACED}]\p{{M}}*\s*|[^\s<{UNSPACED}]+\s*|\s+", regex.DOTALL
)
SPOKEN = '<span class="visually-hidden">{} </span>'  # as not every screen reader tells marks
MOST_STEPS = 1_000_000  # for all texts of a post, about 0.2 seconds

Words = list[str]
Part = tuple[Words, Words]  # what was there before, what is there now; the same if nothing changed


def mark_changes(texts: Sequence[SafeString]) -> list[SafeString]:
    """Returns the texts, the newest first, each with `<ins>` and `<del>` where it differs from the one behind it.

    A change that is too large to be compared word by word is shown as one: at most `MOST_STEPS` for all of them.
    """
    left, marked = MOST_STEPS, []
    for now, before in pairwise([WORD.findall(text) for text in texts]):
        start, end = _same_ends(before, now)
        middle = before[start : len(before) - end], now[start : len(now) - end]
        steps = len(middle[0]) * len(middle[1])
        parts = [middle]
        if steps <= left:
            parts = list(_compare(*middle))
            left -= steps
        tail = now[len(now) - end :]
        marked.append(_draw([(now[:start], now[:start]), *parts, (tail, tail)]))
    return [*marked, *texts[-1:]]


def _same_ends(before: Words, now: Words) -> tuple[int, int]:
    """Returns how many words at the beginning and at the end are the same."""
    most = min(len(before), len(now))
    start = next((n for n in range(most) if before[n] != now[n]), most)
    most -= start
    end = next((n for n in range(most) if before[-1 - n] != now[-1 - n]), most)
    return start, end


def _compare(before: Words, now: Words) -> Iterator[Part]:
    """Yields the words that both have, in their order, and what is between them."""
    # At [i][j]: how many words those from i and those from j have in common.
    common = [[0] * (len(now) + 1) for _ in range(len(before) + 1)]
    for i in reversed(range(len(before))):
        for j in reversed(range(len(now))):
            skipped = max(common[i + 1][j], common[i][j + 1])
            common[i][j] = common[i + 1][j + 1] + 1 if before[i] == now[j] else skipped
    i = j = start_i = start_j = 0
    while i < len(before) and j < len(now):
        if before[i] == now[j]:
            yield before[start_i:i], now[start_j:j]
            yield [before[i]], [now[j]]
            i, j = start_i, start_j = i + 1, j + 1
        elif common[i + 1][j] >= common[i][j + 1]:
            i += 1
        else:
            j += 1
    yield before[start_i:], now[start_j:]


def _draw(parts: list[Part]) -> SafeString:
    drawn: Words = []
    for before, now in parts:
        if before == now:
            drawn.append(_html(now))
        else:
            drawn += [_mark("del", _("Removed:"), before), _mark("ins", _("Added:"), now)]
    return _html(drawn)


def _mark(tag: str, says: str, words: Words) -> str:
    spoken = SPOKEN.format(escape(says))
    return f"<{tag}>{spoken}{_html(words)}</{tag}>" if words else ""


def _html(parts: list[str]) -> SafeString:
    return SafeString("".join(parts))  # all of texts that are HTML already
