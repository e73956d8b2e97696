"""Reported and held posts, as templates show them to moderators."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.cards import PersonCard
from accounts.mentions import mentioned_in
from feed.cards import post_url
from feed.long_posts import Fold, fold_of
from feed.models import Audience, Post, Withheld
from feed.polls.said import said_by
from moderation.cases.pages.cards import Found, words_in
from moderation.cases.pages.context_cards import Context
from moderation.cases.pages.photo_cards import PhotoCard
from moderation.models import CaseEvidence
from socialsite.table import ids, keys
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.web.ago import ago
from socialsite.web.rich_text import rich_text

MOST_REPORTERS = 8  # named beside a post


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """A post as it was when it was reported, and what became of it. `is_shown` is not set if it was not for everyone
    and the moderator has not asked to see it. `html` is empty then, and for a post of photos alone."""

    post_id: str
    url: str
    html: SafeString
    iso: str
    ago: str
    is_shown: bool
    is_private: bool
    is_gone: bool
    is_changed: bool
    withheld: str
    is_sensitive: bool
    warning: str
    fold: Fold
    history_url: str  # what it said before its edits, where the moderator may read it
    photos: tuple[PhotoCard, ...]
    context: Context | None  # of a reply
    words: tuple[str, ...]  # of the word filters that it met, unless it has changed since
    reporters: tuple[PersonCard, ...] = ()

    @classmethod
    def from_raw(
        cls,
        raw: RawItem,
        found: Found,
        author: PersonCard | None,
        *,
        revealed: Collection[str],
        photos: Iterable[PhotoCard] = (),
        context: Context | None = None,
    ) -> Self:
        evidence = row(CaseEvidence, raw)
        post_id, content = evidence.post_id, evidence.content
        raw_post = found.get(keys.post(evidence.author_id, post_id))
        post = row(Post, raw_post or {})
        is_private = evidence.audience not in ("", Audience.EVERYONE)
        is_shown = post_id in revealed or not is_private
        warning = evidence.warning or ""
        now = said_by(post), post.warning or ""
        is_changed = raw_post is not None and now != (content, warning)
        mentions = mentioned_in(raw_post) if raw_post and not is_changed else {}  # else unknown
        created = ids.time_of(post_id)
        return cls(
            post_id=post_id,
            url=post_url(author.handle, post_id) if author else "",
            html=rich_text(content, mentions) if is_shown else SafeString(""),
            iso=created.isoformat(timespec="seconds"),
            ago=ago(created),
            is_shown=is_shown,
            is_private=is_private,
            is_gone=raw_post is None,
            is_changed=is_changed,
            withheld=post.withheld,
            is_sensitive=bool(post.sensitive),
            warning=warning,
            fold=fold_of(content),
            history_url=_history_url(post, author) if author and not post.audience else "",
            photos=tuple(one.in_post(is_shown=is_shown) for one in photos),
            context=context,
            words=() if is_changed else words_in(str(post.flagged).split()),
        )

    @property
    def is_covered(self) -> bool:
        return self.is_sensitive or bool(self.warning)

    @property
    def states(self) -> list[str]:
        """Returns what has become of the post, in words."""
        states = {
            gettext("Not public"): self.is_private,
            gettext("Since deleted"): self.is_gone,
            gettext("Since changed"): self.is_changed,
            gettext("Waiting for review"): self.withheld == Withheld.HELD,
            gettext("Hidden"): self.withheld == Withheld.HIDDEN,
            gettext("Marked as sensitive"): self.is_sensitive,
        }
        return [text for text, holds in states.items() if holds]

    @property
    def shown_reporters(self) -> tuple[PersonCard, ...]:
        return self.reporters[:MOST_REPORTERS]

    @property
    def more_reporters(self) -> int:
        return len(self.reporters) - len(self.shown_reporters)

    @property
    def can_be_acted_on(self) -> bool:
        return not self.is_gone and self.withheld != Withheld.HIDDEN


def _history_url(post: Post, author: PersonCard) -> str:
    is_open = post.version and not post.withheld
    return f"{post_url(author.handle, post.post_id)}/history" if is_open else ""
