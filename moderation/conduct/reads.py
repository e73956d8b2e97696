"""What else the person of a case said, and all that was said in a thread: what a moderator can take into the case.

Staff see here what everyone may see, no more: posts for everyone, in threads for everyone. Whether the person blocks
the moderator makes no difference, and neither does whether the moderator follows them. Posts for fewer people come into
a case when one of their readers reports them. Private messages never stand here.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from accounts.people.cards import PersonCard
from feed.polls.models import said_by
from feed.posts.models import Audience, Post, Reply, Withheld
from feed.posts.reads import audience_of
from moderation.cases.cards import Found, person_of
from moderation.cases.evidence import audience_in_thread, heads_of, not_kept
from moderation.cases.evidence_cards import ContextPost
from moderation.cases.translation import Translation, translation_of
from socialsite.table import (
    Key,
    NotFound,
    Page,
    RawItem,
    Source,
    access_pattern,
    fetch,
    ids,
    keys,
    query_merged,
    row,
)

LOOKED_AT = 300  # posts that are read at most to fill one page


@dataclass(frozen=True, slots=True)
class Asked:
    """What a moderator looks for: a word, two moments between which posts were written, and whom they answer."""

    word: str = ""
    since: datetime | None = None
    until: datetime | None = None
    answered_id: str = ""

    def fits(self, raw: RawItem) -> bool:
        """Whether a raw `Post` or `Reply` is looked for, its time aside."""
        post = row(Post, raw)
        if self.answered_id and post.reply_to_author_id != self.answered_id:
            return False
        return self.word.casefold() in f"{post.warning or ''}\n{said_by(post)}".casefold()

    def fits_time(self, post_id: str) -> bool:
        first, last = self.ids
        return first <= post_id <= last

    @property
    def ids(self) -> tuple[str, str]:
        """Returns the first and the last id that a post of this time can have."""
        first = ids.first_id_at(self.since) if self.since else "0"
        return first, ids.last_id_before(self.until) if self.until else "Z" * 26

    @property
    def scope(self) -> str:
        """Returns what tells a list with this filter from others, for its cursors."""
        return f"{self.word}\0{self.since}\0{self.until}\0{self.answered_id}"


@dataclass(frozen=True, slots=True)
class ConductPost:
    """A post to choose, or one beside it in a thread. `seen` is what its checkbox sends: the id, and the version that
    the moderator sees; empty where it cannot be chosen."""

    post: ContextPost
    seen: str
    answers: str = ""  # the handle of the person whom it answers
    is_in_case: bool = False
    is_theirs: bool = True
    translation: Translation | None = None


@dataclass(frozen=True, slots=True)
class SeenPost:
    """A post in the version in which a moderator saw it."""

    post_id: str
    version: int

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Returns the post of `<id>.<version>`, None for anything else."""
        post_id, _, version = text.partition(".")
        if not ids.is_id(post_id) or not version.isdecimal() or len(version) > 9:
            return None
        return cls(post_id, int(version))


def version_of(post: Post) -> int:
    return int(post.version or 1)


@access_pattern
def list_conduct(
    person: PersonCard, asked: Asked, *, cursor: str | None = None
) -> Page[ConductPost]:
    """Returns posts and replies of a person that everyone may see, newest first. A page may be short, and still have a
    next one: it looks at no more than 300 posts.

    Query `PK = u#<id>#post`, 0.5 read units per 4 KB, then two BatchGetItems of the threads of replies, at most 3 keys
    each, of the people whom they answer, and of what the case holds already. In all at most 38 + 50 read units.
    """
    first, last = asked.ids
    source = Source(
        keys.posts(person.user_id),
        between=(keys.post("", first).sk, keys.post("", last).sk),
        wanted=lambda raw: raw["type"]["S"] == Post.__name__ and asked.fits(raw),
        look_at_most=LOOKED_AT,
    )
    scope = f"{source.partition} {asked.scope}"
    page = query_merged([source], scope=scope, cursor=cursor)
    found = _read_beside(page.items)
    shown = [raw for raw in page.items if is_for_everyone(raw, person, found)]
    return page.with_items(_cards(shown, person, found))


@access_pattern
def list_thread(
    person: PersonCard,
    *,
    root_id: str,
    root_author_id: str,
    asked: Asked,
    cursor: str | None = None,
) -> Page[ConductPost]:
    """Returns a thread from its first post on, as it is read, those of the person to choose. Of posts that were deleted
    the places stand there, unless one looks for something. Raises `NotFound` for a thread that is not for everyone.

    Query `PK = p#<root>#reply`, 0.5 read units per 4 KB, and three BatchGetItems of the first post with its author,
    of the people, and of what the case holds already. In all at most 38 + 60 read units.
    """
    root_key, gate_key = keys.post(root_author_id, root_id), keys.thread_gate(root_id)
    found = fetch([root_key, gate_key, keys.user_info(root_author_id)])
    root, author = found.get(root_key), person_of(root_author_id, found)
    head = root or found.get(gate_key)
    if head is None or author is None or audience_of(head, author) != Audience.EVERYONE:
        raise NotFound("not a thread for everyone")
    looks = asked != Asked()

    def wanted(raw: RawItem) -> bool:
        reply = row(Reply, raw)
        if reply.gone:
            return not looks
        return asked.fits_time(reply.post_id) and asked.fits(raw)

    source = Source(
        keys.thread(root_id),
        between=keys.branch_bounds(""),
        wanted=wanted,
        look_at_most=LOOKED_AT,
    )
    scope = f"{source.partition} {asked.scope}"
    page = query_merged([source], scope=scope, cursor=cursor, newest_first=False)
    rows = list(page.items)
    if root and not cursor and asked.fits_time(root_id) and asked.fits(root):
        rows.insert(0, root)
    rows = [raw for raw in rows if row(Post, raw).withheld != Withheld.HELD]
    people = {row(Reply, raw).author_id for raw in rows}
    found |= fetch(sorted({keys.user_info(one) for one in people if one}))
    return page.with_items(_cards(rows, person, found))


def _read_beside(posts: Iterable[RawItem]) -> Found:
    """Returns the heads of the threads of replies with their authors, and the people whom posts answer."""
    wanted: set[Key] = set()
    for raw in posts:
        post = row(Post, raw)
        if post.root_id:
            wanted |= {*heads_of(raw), keys.user_info(str(post.reply_to_author_id))}
    return fetch(sorted(wanted))


def is_for_everyone(raw: RawItem, author: PersonCard, found: Found) -> bool:
    """Whether everyone may see a raw `Post` of this author, or might before a moderator hid it. `found` has the head of
    its thread, with that author."""
    post = row(Post, raw)
    is_read = post.withheld != Withheld.HELD
    return is_read and audience_in_thread(raw, author, found) == Audience.EVERYONE


def _cards(rows: Sequence[RawItem], person: PersonCard, found: Found) -> list[ConductPost]:
    theirs = [raw for raw in rows if row(Post, raw).author_id == person.user_id]
    new = {row(Post, raw).post_id for raw in not_kept(theirs)}
    people = {**found}
    cards = []
    for raw in rows:
        post = row(Post, raw)
        is_theirs = post.author_id == person.user_id
        author = person if is_theirs else person_of(post.author_id, people)
        card = ContextPost.from_raw(raw, author, is_private=False, revealed=())
        can_be_chosen = is_theirs and not card.is_gone and not card.withheld
        answered = person_of(str(post.reply_to_author_id or ""), people)
        answers = answered.handle if answered and answered.user_id != post.author_id else ""
        cards.append(
            ConductPost(
                post=card,
                seen=f"{post.post_id}.{version_of(post)}" if can_be_chosen else "",
                answers=answers,
                is_in_case=is_theirs and not card.is_gone and post.post_id not in new,
                is_theirs=is_theirs,
                translation=translation_of(said_by(post), post.lang) if card.is_shown else None,
            )
        )
    return cards


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is left of the posts that a moderator chose: those as they were seen, and the ids of those that were
    edited, or are gone, since."""

    posts: tuple[RawItem, ...] = ()
    edited: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(row(Post, raw).post_id for raw in self.posts)

    def without(self, post_ids: Collection[str]) -> Self:
        left = tuple(raw for raw in self.posts if row(Post, raw).post_id not in post_ids)
        return replace(self, posts=left)


def read_chosen(person_id: str, seen: Sequence[SeenPost]) -> Chosen:
    """Returns the chosen posts of a person as they are now. A post that became one for fewer people counts as gone.
    Two consistent BatchGetItems, 1 read unit for each post and 3 for the thread of a reply. Raises `NotFound`."""
    info = keys.user_info(person_id)
    wanted = {one.post_id: keys.post(person_id, one.post_id) for one in seen}
    items = fetch([info, *wanted.values()], consistent=True)
    if info not in items:
        raise NotFound("the account was erased")
    author = PersonCard.from_raw(items[info])
    found = _read_beside(items[key] for key in wanted.values() if key in items)
    left: list[RawItem] = []
    edited, gone = [], []
    for one in seen:
        raw = items.get(wanted[one.post_id])
        if raw is None or not is_for_everyone(raw, author, found) or row(Post, raw).withheld:
            gone.append(one.post_id)
        elif version_of(row(Post, raw)) != one.version:
            edited.append(one.post_id)
        else:
            left.append(raw)
    return Chosen(tuple(left), tuple(edited), tuple(gone))
