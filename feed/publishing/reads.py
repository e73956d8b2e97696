"""What becomes of a post after it was published: its present text and audience as its author changes them, what it said
before, which is as open as the post, what each edit changed, which posts are pinned, and how many posts are for
everyone, before all of them are limited at once."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, pairwise
from typing import Self

import regex
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import UserCount
from accounts.people.cards import PersonCard, mentioned_in
from accounts.people.viewer import Viewer
from feed.cards.post_card import PostCard, post_url
from feed.cards.reads import get_post, get_posts
from feed.cards.words import Fold
from feed.posts.models import Audience, Post, Repost
from feed.posts.reads import Pointer
from feed.publishing.forms import CIRCLE
from feed.publishing.models import PostVersion
from socialsite.streams import Job, JobKind
from socialsite.table import RawItem, access_pattern, fetch, keys, query, reading, row
from socialsite.texts import UNSPACED
from socialsite.web.preferences import full_date
from socialsite.web.rich_text import rich_text


@dataclass(frozen=True, slots=True)
class OwnText:
    """`is_withheld` says that only the author sees the post, so that it cannot be edited. Neither can a post with a
    poll."""

    post_id: str
    url: str
    content: str
    warning: str
    lang: str
    version: int
    is_withheld: bool
    has_poll: bool
    audience: str
    circle: str  # its id
    needs_words: bool  # as it has no photos

    @property
    def as_typed(self) -> dict[str, str | int]:
        """Returns the fields of the form of an edit."""
        fields = {"content": self.content, "warning": self.warning, "language": self.lang}
        return {**fields, "version": self.version}

    @property
    def edit_url(self) -> str:
        return f"{self.url}/edit"


@access_pattern
def get_own_text(post_id: str, *, viewer: Viewer) -> OwnText:
    """Returns what one of the viewer's own posts says now, and whom it is for. Raises `NotFound`, also for
    other people's posts.

    GetItem of `u#<id>#post` `p#<post>`, consistent, 1 read unit.
    """
    post = reading.get(Post, keys.post(viewer.user_id, post_id), consistent=True)
    return OwnText(
        post_id=post_id,
        url=post_url(viewer.handle, post_id),
        content=post.content,
        warning=post.warning or "",
        lang=post.lang or "",
        version=int(post.version or 1),
        is_withheld=bool(post.withheld),
        has_poll=bool(post.poll),
        audience=post.audience or "",
        circle=post.circle or "",
        needs_words=not post.photos,
    )


def audience_choice(text: OwnText, viewer: Viewer) -> str:
    """Returns the choice that holds now. A circle that was deleted leaves the author alone."""
    if text.audience != Audience.CIRCLE:
        return text.audience
    is_there = any(circle.circle_id == text.circle for circle in viewer.circles)
    return f"{CIRCLE}{text.circle}" if is_there else Audience.ONLY_ME


MOST_VERSIONS = 50  # texts that a post can have, with the present one


@dataclass(frozen=True, slots=True)
class VersionCard:
    """One text of a post, as `_post_text.html` shows texts. `is_present` is the one that it has now."""

    number: int
    author: PersonCard
    html: SafeString
    written: datetime
    is_present: bool
    is_sensitive: bool
    warning: str = ""
    lang: str = ""
    fold: Fold = Fold.NEVER

    @classmethod
    def of_post(cls, post: PostCard) -> Self:
        return cls(
            number=post.version,
            author=post.author,
            html=post.html,
            written=post.updated,
            is_present=True,
            is_sensitive=post.is_sensitive,
            warning=post.warning,
            lang=post.lang,
        )

    @classmethod
    def from_raw(cls, raw: RawItem, post: PostCard) -> Self:
        version = row(PostVersion, raw)
        return cls(
            number=int(version.version),
            author=post.author,
            html=rich_text(version.content, mentioned_in(raw)),
            written=datetime.fromisoformat(version.written_at),
            is_present=False,
            is_sensitive=post.is_sensitive,
            warning=version.warning or "",
            lang=version.lang or "",
        )

    @property
    def is_covered(self) -> bool:
        return self.is_sensitive or bool(self.warning)

    @property
    def iso(self) -> str:
        return self.written.isoformat(timespec="seconds")

    @property
    def when(self) -> str:
        return full_date(self.written)


@access_pattern
def get_history(
    post_id: str, author_id: str, *, viewer: Viewer
) -> tuple[PostCard, Sequence[VersionCard]]:
    """Returns a post with all its texts, the present one first. Raises `NotFound`, also if the viewer may not see the
    post.

    `get_post`, then one Query of `p#<post>#history`, 0.5 read units per 4 KB; none for a post that was never edited.
    """
    post = get_post(post_id, author_id, viewer=viewer)
    before = list(_before(post)) if post.version > 1 else []
    return post, [VersionCard.of_post(post), *before]


def _before(post: PostCard) -> Iterator[VersionCard]:
    rows = query(keys.history(post.post_id), forward=False, limit=MOST_VERSIONS)
    for raw in islice(rows, MOST_VERSIONS):
        version = VersionCard.from_raw(raw, post)
        if version.number < post.version:  # an edit may have come in between
            yield version


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


LOOKED_AT = 1000  # posts, replies and reposts that are looked at to say how many there are


@dataclass(frozen=True, slots=True)
class PastPosts:
    """How many posts are for everyone, and whether older ones were not looked at."""

    count: int
    there_are_more: bool


@dataclass(frozen=True, slots=True)
class Limiting:
    """How far the stream worker has got."""

    audience: str
    done: int


def is_for_everyone(raw: RawItem) -> bool:
    """Whether one of the items in `u#<id>#post` is a post that its author can limit: no repost, no reply, which is for
    those whom its thread is for, and nothing that a moderator reviews or hid."""
    post = row(Post, raw)
    if raw.get("type", {}).get("S") == Repost.__name__:
        return False
    return not (post.root_id or post.audience or post.withheld)


@access_pattern
def count_past_posts(viewer: Viewer) -> PastPosts:
    """Returns how many of the viewer's newest 1,000 posts, replies and reposts are posts for everyone.

    Query `PK = u#<id>#post`, and one more for each full MB: 0.5 read units per 4 KB, at most 500.
    """
    rows = query(keys.posts(viewer.user_id), forward=False, limit=LOOKED_AT + 1)
    looked_at = list(islice(rows, LOOKED_AT + 1))
    count = sum(is_for_everyone(raw) for raw in looked_at[:LOOKED_AT])
    return PastPosts(count, len(looked_at) > LOOKED_AT)


@access_pattern
def get_limiting(viewer: Viewer) -> Limiting | None:
    """Returns how far the stream worker has got in limiting the viewer's posts, None if nothing is under way: a
    consistent BatchGetItem, 1 read unit."""
    key = keys.job(JobKind.LIMIT_POSTS, viewer.user_id)
    found = fetch([key], consistent=True).get(key)
    if found is None:
        return None
    job = row(Job, found)
    return Limiting(job.audience or "", int(job.done))


@access_pattern
def list_pinned(author_id: str, pins: Collection[str], *, viewer: Viewer) -> list[PostCard]:
    """Returns the pinned posts that the viewer may see, the newest first. One BatchGetItem of at most 3 posts, as
    `get_posts`; nothing for people without pins. In all 7.5 read units. `get_profile` tells the ids."""
    pointers = [Pointer(post_id, author_id) for post_id in sorted(pins, reverse=True)]
    return get_posts(pointers, viewer=viewer) if pointers else []


@access_pattern
def is_pinned(post_id: str, *, viewer: Viewer) -> bool:
    """Whether the viewer has pinned one of their own posts. BatchGetItem of `u#<id>` `count`, consistent, 1 read
    unit."""
    key = keys.user_count(viewer.user_id)
    found = fetch([key], consistent=True)
    return post_id in row(UserCount, found.get(key, {})).pins
