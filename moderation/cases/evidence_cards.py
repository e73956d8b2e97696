"""Reported and held posts with their photos, and what reported replies answer (the first post of the thread, and the
posts right above the reply), as templates show them to moderators."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.people.cards import PersonCard, mentioned_in
from feed.cards.post_card import post_url
from feed.cards.words import Fold, fold_of
from feed.polls.models import said_by
from feed.posts.models import Audience, Post, Reply, Withheld
from feed.posts.reads import audience_of
from feed.threads.pages import places_above
from moderation.cases.cards import Found, person_of, words_in
from moderation.cases.photo_cards import PhotoCard, cards_of_post
from moderation.cases.translation import Translation, translation_of
from moderation.models import CaseEvidence
from socialsite.table import Key, RawItem, fetch, ids, keys, row
from socialsite.web.preferences import ago
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
            gettext("Hidden"): self.withheld in (Withheld.HIDDEN, Withheld.SECURED),
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


MOST_REPLIES = 10  # of a case, whose context is shown


def read_contexts(
    posts: Sequence[RawItem], found: Found, *, revealed: Collection[str]
) -> dict[str, Context]:
    """Returns by the id of each reply what it answers, for the first ten replies among raw `CaseEvidence` and `Post`
    items. `found` has the posts as they are now. Texts of threads that are not for everyone show only if `revealed`.

    Two BatchGetItems, of at most 7 and 4 keys a reply; none without replies.
    """
    replies = dict(_replies(posts, found))
    replies = {post_id: replies[post_id] for post_id in list(replies)[:MOST_REPLIES]}
    if not replies:
        return {}
    items = fetch(key for reply in replies.values() for key in _keys(reply))
    authors = {row(Reply, raw).author_id for raw in items.values()}
    people = {keys.user_info(author_id) for author_id in authors if author_id} - items.keys()
    items |= fetch(sorted(people))
    return {post_id: _context(reply, items, revealed) for post_id, reply in replies.items()}


def _replies(posts: Sequence[RawItem], found: Found) -> Iterator[tuple[str, Post]]:
    for raw in posts:
        kept = row(Post, raw)
        now = found.get(keys.post(kept.author_id, kept.post_id), raw)
        # Evidence of before lacks the place of the reply, which the post of now has.
        reply = kept if kept.root_id else row(Post, now)
        if reply.root_id:
            yield kept.post_id, reply


def _keys(reply: Post) -> list[Key]:
    root_id, root_author_id = str(reply.root_id), str(reply.root_author_id)
    return [
        keys.post(root_author_id, root_id),
        keys.thread_gate(root_id),
        keys.user_info(root_author_id),
        *_above(reply),
    ]


def _above(reply: Post) -> list[Key]:
    """Returns the places at which the nearest posts above can be: of a part of a story the part before it."""
    path, root_id = str(reply.path), str(reply.root_id)
    if keys.is_of_story(path):
        paths = [] if reply.reply_to == root_id else [keys.path_of_part(str(reply.reply_to))]
    else:
        paths = places_above(path)
    return [keys.reply_place(root_id, one) for one in paths]


def _context(reply: Post, items: Found, revealed: Collection[str]) -> Context:
    root_id, root_author_id = str(reply.root_id), str(reply.root_author_id)
    root = items.get(keys.post(root_author_id, root_id))
    head, author = root or items.get(keys.thread_gate(root_id)), person_of(root_author_id, items)
    is_private = not (head and author) or audience_of(head, author) != Audience.EVERYONE

    def card(raw: RawItem) -> ContextPost:
        author = person_of(row(Post, raw).author_id, items)
        return ContextPost.from_raw(raw, author, is_private=is_private, revealed=revealed)

    above = [items[key] for key in _above(reply) if key in items]
    uppermost = row(Reply, above[0]).reply_to if above else reply.reply_to
    return Context(
        root=card(root) if root else None,
        above=[card(raw) for raw in above],
        left_out=uppermost != root_id,
    )


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
    is_added: bool  # by a moderator, while nobody reported it
    thread: tuple[
        str, ...
    ]  # the first post of its thread and that one's author, where everyone may see both
    translation: Translation | None
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
            photos=tuple(one.in_private(is_shown=is_shown) for one in photos),
            context=context,
            words=() if is_changed else words_in(str(post.flagged).split()),
            is_added=bool(evidence.added),
            thread=() if is_private else _thread_of(evidence, post),
            translation=None
            if is_private or post.withheld == Withheld.HELD  # nobody has read it yet
            else translation_of(content, evidence.lang or post.lang),
        )

    @property
    def is_covered(self) -> bool:
        return self.is_sensitive or bool(self.warning)

    @property
    def states(self) -> list[str]:
        """Returns what has become of the post, in words."""
        states = {
            gettext("Not public"): self.is_private,
            gettext("Added by a moderator"): self.is_added,
            gettext("Since deleted"): self.is_gone,
            gettext("Since changed"): self.is_changed,
            gettext("Waiting for review"): self.withheld == Withheld.HELD,
            gettext("Hidden"): self.withheld in (Withheld.HIDDEN, Withheld.SECURED),
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


def _thread_of(evidence: CaseEvidence, post: Post) -> tuple[str, ...]:
    """Returns the first post of the thread, which may be the post itself, with its author."""
    kept = evidence if evidence.root_id else post  # evidence of before lacks the place
    if kept.root_id:
        return str(kept.root_id), str(kept.root_author_id)
    return evidence.post_id, evidence.author_id


def _history_url(post: Post, author: PersonCard) -> str:
    is_open = post.version and not post.withheld
    return f"{post_url(author.handle, post.post_id)}/history" if is_open else ""


def evidence_cards(
    posts: Sequence[RawItem],
    photos: Mapping[str, tuple[PhotoCard, ...]],
    found: Found,
    person: PersonCard | None,
    *,
    contexts: dict[str, Context],
    revealed: Collection[str],
) -> Iterator[EvidenceCard]:
    """Yields the reported posts, raw `CaseEvidence`, and the held one, a raw `Post`, with `photos` by their ids. A post
    that was kept in several versions has its photos and its context once, at the first."""
    left = dict(photos)
    for raw in posts:
        post_id = row(CaseEvidence, raw).post_id
        yield EvidenceCard.from_raw(
            *(raw, found, person),
            revealed=revealed,
            photos=left.pop(post_id, ()) or cards_of_post(raw, post_id),
            context=contexts.pop(post_id, None),
        )
