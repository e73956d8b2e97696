"""What every transaction on a post holds to, and changes with it: that it is there and has not ended, the version that
was read, its author's post count, and its copy in its thread. How long a post stays is its `ttl`: from that second on
every read drops it, and DynamoDB deletes it some time later."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserCount
from accounts.people.cards import counted_end
from feed.posts.models import Post, Reply, Repost, Reposter, ThreadGate
from socialsite.clock import utc_now
from socialsite.table import (
    Change,
    Delete,
    Item,
    Key,
    Moved,
    NotFound,
    TableError,
    WriteAction,
    change,
    ids,
    keys,
    query,
    transact,
    write_batch,
)

LASTS = {"1h": timedelta(hours=1), "1d": timedelta(days=1), "1w": timedelta(weeks=1)}


def end_of(post_id: str, expires_in: str) -> datetime | None:
    """Returns the end of a new post, None if it stays. `expires_in` is one of `LASTS`, or empty."""
    if not expires_in:
        return None
    return (ids.time_of(post_id) + LASTS[expires_in]).replace(microsecond=0)


def earlier(end: datetime, end_of_post: datetime | None) -> datetime:
    """Returns until when a pointer stays that would stay until `end`: no longer than its post."""
    return min(end, end_of_post) if end_of_post else end


def is_there() -> Condition:
    """The condition that a post is there, and its end has not come."""
    return Post.pk.exists() & (Post.ttl.does_not_exist() | (Post.ttl > utc_now()))


def is_gone() -> Condition:
    """The condition that a post is gone for its readers, even where DynamoDB has yet to delete it."""
    return Post.pk.does_not_exist() | (Post.ttl <= utc_now())


def is_version(post: Post) -> Condition:
    """The condition that the post has the text with which it was read."""
    return Post.version == int(post.version) if post.version else Post.version.does_not_exist()


ENDS = ("ends", "closed_ends", "withheld_ends")  # each end of a post stands in one of these sets


class PostCount:
    """What one transaction changes of an author's post count. A withheld post does not count, one that is not for
    everyone is also counted apart, as is an imported one. One that ends by itself is not counted but stands in a set of
    ends."""

    def __init__(self, author_id: str) -> None:
        self.author_id = author_id
        self.changes: Counter[str] = Counter()
        self.imported = 0
        self.coming: dict[str, set[str]] = defaultdict(set)
        self.leaving: dict[str, set[str]] = defaultdict(set)

    def take(self, post: Post) -> None:
        """The post no longer counts as it did when it was read."""
        self._enter(post, post.audience or "", post.withheld or "", -1)

    def add(self, post: Post, *, audience: str, withheld: str) -> None:
        """The post counts with this audience, if it is not withheld."""
        self._enter(post, audience, withheld, 1)

    def _enter(self, post: Post, audience: str, withheld: str, by: int) -> None:
        if post.ttl:
            ends = self.coming if by > 0 else self.leaving
            ends[set_of(audience, withheld)].add(counted_end(post.ttl, post.post_id))
        elif not withheld:
            self.changes[audience] += by
            self.imported += by if post.imported else 0

    def writes(self, *, only_if: Condition | None = None) -> list[WriteAction]:
        """Returns the change of the author's `UserCount`, nothing if all stays as it is. `only_if` is a condition on
        the counts as they were read, whose failure is `Moved`."""
        actions = _numbers(self.changes, self.imported)
        for name in ENDS:
            ends = getattr(UserCount, name)
            coming, leaving = self.coming[name], self.leaving[name]
            come, leave = coming - leaving, leaving - coming
            assert not (come and leave), "one update cannot both add to a set and take from it"
            if come:
                actions.append(ends.add(come))
            elif leave:
                actions.append(ends.delete(leave))
        if not actions:
            return []
        otherwise = NotFound if only_if is None else Moved
        return [Change(UserCount, keys.user_count(self.author_id), actions, only_if, otherwise)]


def count_posts(
    author_id: str, changes: Mapping[str, int], *, imported: int = 0
) -> list[WriteAction]:
    """Returns the change of the author's `UserCount` for this many lasting posts of each audience: negative for removed
    posts, empty if nothing changes. `imported` is how many of them were brought from elsewhere."""
    actions = _numbers(changes, imported)
    return [Change(UserCount, keys.user_count(author_id), actions)] if actions else []


def _numbers(changes: Mapping[str, int], imported: int) -> list[Action]:
    closed = sum(change for audience, change in changes.items() if audience)
    numbers = (
        (UserCount.posts, sum(changes.values())),
        (UserCount.closed, closed),
        (UserCount.imported, imported),
    )
    return [attribute.add(by) for attribute, by in numbers if by]


def set_of(audience: str, withheld: str) -> str:
    """Returns the set of ends in which a post stands."""
    if withheld:
        return "withheld_ends"
    return "closed_ends" if audience else "ends"


def has_audience(post: Post) -> Condition:
    """The condition that a post is for the people for whom it was when it was read, so that it counts alike."""
    audience, circle = Post.audience, Post.circle
    same = audience == post.audience if post.audience else audience.does_not_exist()
    return same & (circle == post.circle if post.circle else circle.does_not_exist())


GONE = "yes"


def is_counted(reply: Reply) -> bool:
    """Whether a place counts as a reply to the post above it: others can see it."""
    return not reply.gone and not reply.withheld


def copied_difference(old: Item | None, new: Item | None) -> int:
    """Returns by how much a change of a place changes the count of the post above it."""
    was, is_now = (isinstance(one, Reply) and is_counted(one) for one in (old, new))
    return is_now - was


def place_of(post: Post) -> Key | None:
    """Returns the key of the copy of a post, None if it is not a reply."""
    return keys.reply_place(post.root_id, str(post.path)) if post.root_id else None


def change_copy(
    post: Post, actions: Sequence[Action], otherwise: type[TableError] = Moved
) -> list[WriteAction]:
    """Returns the change of the copy that goes with a change of the post, empty if it is not a reply."""
    place = place_of(post)
    return [Change(Reply, place, actions, otherwise=otherwise)] if place else []


def empty_copy(post: Post) -> list[WriteAction]:
    """Returns what becomes of the copy when its post is deleted: the place stays for the answers below it, without the
    text and photos. The stream worker removes it if there are none."""
    emptied = (
        *(Reply.content, Reply.mentions, Reply.withheld, Reply.sensitive),
        *(Reply.version, Reply.edited_at, Reply.warning, Reply.lang, Reply.photos),
    )
    return change_copy(post, [Reply.gone.set(GONE), *(one.remove() for one in emptied)])


def clear_gate(root_id: str) -> None:
    """Removes the gate that a deleted root left, if the thread has no replies: none can come without a root. The gate
    beside a root that ends by itself stays until then."""
    if has_places(root_id, keys.branch_bounds("")):
        return
    root_ends, now = ThreadGate.root_ends, int(utc_now().timestamp())
    with suppress(NotFound):
        transact(Delete(keys.thread_gate(root_id), root_ends.does_not_exist() | (root_ends <= now)))


def has_places(root_id: str, between: tuple[str, str]) -> bool:
    rows = query(keys.thread(root_id), between=between, consistent=True, limit=1)
    return next(rows, None) is not None


def clear_reposts(reposters: Iterable[Reposter]) -> None:
    """Takes the reposts of these people away, with the traces, which hold nothing else: the post is gone, and the likes
    with it. Safe to repeat.

    One UpdateItem for each, then BatchWriteItems. The pointers among people's own posts end by their TTL, as the stream
    worker may not delete what people post in batches.
    """
    gone = list(reposters)
    for one in gone:
        with suppress(NotFound):
            change(Repost, keys.post(one.user_id, one.repost_id), [Repost.ttl.set(utc_now())])
    write_batch(
        deletes=[
            key
            for one in gone
            for key in (
                keys.reposter(one.post_id, one.user_id),
                keys.like_trace(one.user_id, one.post_id),
            )
        ]
    )
