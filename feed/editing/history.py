"""What a post said before it was edited. The history is as open as the post: no more, no less."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Self

from django.utils.safestring import SafeString

from accounts.cards import PersonCard
from accounts.mentions import mentioned_in
from accounts.viewer import Viewer
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.long_posts import Fold
from feed.models import PostVersion
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, query
from socialsite.table.row import row
from socialsite.web.rich_text import rich_text
from socialsite.web.time_zones import full_date

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
