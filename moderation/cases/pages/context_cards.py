"""What a reported reply answers, as templates show it to moderators."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.cards import PersonCard
from accounts.mentions import mentioned_in
from feed.cards import post_url
from feed.long_posts import Fold, fold_of
from feed.models import Post, Reply, Withheld
from feed.polls.said import said_by
from socialsite.table import ids
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.web.ago import ago
from socialsite.web.rich_text import rich_text


@dataclass(frozen=True, slots=True)
class ContextPost:
    """A post above a reported reply, as it is now. `is_shown` is not set if it was deleted, and if its thread is not
    for everyone and the moderator has not asked to see it."""

    post_id: str
    author: PersonCard | None
    url: str
    html: SafeString
    iso: str
    ago: str
    is_shown: bool
    is_private: bool
    is_gone: bool
    withheld: str
    is_sensitive: bool
    warning: str
    fold: Fold
    photos: int  # how many

    @classmethod
    def from_raw(
        cls,
        raw: RawItem,
        author: PersonCard | None,
        *,
        is_private: bool,
        revealed: Collection[str],
    ) -> Self:
        """Returns the card of a raw `Post` or `Reply`."""
        post, is_gone = row(Post, raw), bool(row(Reply, raw).gone)
        is_shown = not is_gone and (post.post_id in revealed or not is_private)
        content, created = said_by(post), ids.time_of(post.post_id)
        return cls(
            post_id=post.post_id,
            author=author,
            url=post_url(author.handle, post.post_id) if author else "",
            html=rich_text(content, mentioned_in(raw)) if is_shown else SafeString(""),
            iso=created.isoformat(timespec="seconds"),
            ago=ago(created),
            is_shown=is_shown,
            is_private=is_private,
            is_gone=is_gone,
            withheld=post.withheld,
            is_sensitive=bool(post.sensitive),
            warning=post.warning or "",
            fold=fold_of(content),
            photos=len(raw.get("photos", {}).get("L", ())) if is_shown else 0,
        )

    @property
    def is_hidden(self) -> bool:
        """Whether its text shows only once the moderator asks."""
        return self.is_private and not self.is_gone and not self.is_shown

    @property
    def is_covered(self) -> bool:
        return self.is_sensitive or bool(self.warning)

    @property
    def states(self) -> list[str]:
        """Returns what has become of the post, in words."""
        states = {
            gettext("Not public"): self.is_private,
            gettext("Waiting for review"): self.withheld == Withheld.HELD,
            gettext("Hidden"): self.withheld == Withheld.HIDDEN,
            gettext("Marked as sensitive"): self.is_sensitive,
        }
        return [text for text, holds in states.items() if holds]


@dataclass(frozen=True, slots=True)
class Context:
    """The first post of the thread, None if it was deleted, and the posts right above the reply, the uppermost first.
    `left_out` says that there are others between."""

    root: ContextPost | None
    above: Sequence[ContextPost]
    left_out: bool

    @property
    def hidden_posts(self) -> list[str]:
        return [one.post_id for one in (self.root, *self.above) if one and one.is_hidden]
