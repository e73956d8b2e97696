"""What must hold for reposts and quotes once the stream worker has caught up: counts, the three items of each repost,
and the lists of quoted posts. Corrects counts while people go on sharing and the worker counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from feed.posts.models import LikeCount, LikeTrace, Post, Repost, Reposter
from feed.posts.reads import pointer_of
from feed.posts.writes import clear_reposts
from feed.publishing.models import Quote
from feed.sharing.reads import difference, is_counted
from socialsite.invariants import must_hold
from socialsite.streams.recounting import Unapplied, mend_count
from socialsite.table import Item, RawItem, fetch, key_of, keys, query, row, write_batch

Of = tuple[str, str, str]  # the ids of post, person and repost


@must_hold
@dataclass
class RepostInvariants:
    """Give it every item with `add`, then ask for `results`."""

    posts: set[str] = field(default_factory=set)
    reposts: set[Of] = field(default_factory=set)
    reposters: set[Of] = field(default_factory=set)
    traces: set[Of] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.posts.add(item.post_id)
            case Repost() if not item.ttl:
                self.reposts.add((item.repost_of, item.author_id, item.post_id))
            case Reposter():
                self.reposters.add((item.post_id, item.user_id, item.repost_id))
            case LikeTrace() if item.repost_id:
                self.traces.add((item.post_id, item.user_id, item.repost_id))
            case LikeCount():
                self.counts[item.post_id] = int(item.reposts or 0)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        there = Counter(post_id for post_id, _, _ in self.reposters)
        return {
            "repost counts equal reposts": [
                f"{post_id}: {count}, {there[post_id]} reposts"
                for post_id, count in self.counts.items()
                if count != there[post_id]
            ],
            "every repost is in its post's list": [
                " ".join(one) for one in sorted(self.reposts ^ self.reposters)
            ],
            "every repost has its trace": [
                " ".join(one) for one in sorted(self.reposts ^ self.traces)
            ],
            "no repost is of a post that is gone": sorted(there.keys() - self.posts),
        }


Pair = tuple[str, str]  # the ids of the quoted and the quoting post


@must_hold
@dataclass
class QuoteInvariants:
    """Give it every item with `add`, then ask for `results`."""

    posts: set[str] = field(default_factory=set)
    quoting: dict[Pair, bool] = field(default_factory=dict)  # whether it counts
    listed: set[Pair] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.posts.add(item.post_id)
                if item.quote_of:
                    self.quoting[item.quote_of, item.post_id] = is_counted(item)
            case Quote():
                self.listed.add((item.quote_of, item.post_id))
            case LikeCount():
                self.counts[item.post_id] = int(item.quotes or 0)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        there = Counter(quoted for (quoted, _), counts in self.quoting.items() if counts)
        of_posts = {pair for pair in self.quoting if pair[0] in self.posts}
        return {
            "quote counts equal quotes": [
                f"{post_id}: {count}, {there[post_id]} quotes"
                for post_id, count in self.counts.items()
                if count != there[post_id]
            ],
            "every quote is in its post's list": [
                " ".join(pair) for pair in sorted(of_posts ^ self.listed)
            ],
        }


def mend_repost_count(raw: RawItem) -> Iterator[str]:
    """Sets a post's count of reposts to those there are, without those that the worker has yet to count. Yields a line
    if it was wrong.

    One GetItem and a Query of the reposts, consistent; the stream behind the checkpoints only if they differ.
    """
    post_id = row(Post, raw).post_id
    yield from mend_count(
        LikeCount,
        keys.like_count(post_id),
        "reposts",
        count=partial(_count_reposts, post_id),
        waiting=partial(_waiting_reposts, post_id),
    )


def clear_orphaned_reposts(reposters: Sequence[RawItem]) -> None:
    """Deletes the reposts of posts that are gone. A count goes with its post."""
    those = [row(Reposter, raw) for raw in reposters]
    counts = fetch({keys.like_count(one.post_id): None for one in those}, consistent=True)
    clear_reposts(one for one in those if keys.like_count(one.post_id) not in counts)


def _count_reposts(post_id: str) -> int:
    return sum(1 for _ in query(keys.reposters(post_id), consistent=True))


def _waiting_reposts(post_id: str, unapplied: Unapplied) -> int:
    return sum(
        1 if change.event == "INSERT" else -1
        for change in unapplied.changes(Reposter)
        if isinstance(change.item, Reposter) and change.item.post_id == post_id
    )


def mend_quote_count(raw: RawItem) -> Iterator[str]:
    """Sets a post's count of quotes to those that readers can see, without changes that the worker has yet to count.
    Yields a line if it was wrong.

    One GetItem, a Query of the quotes and BatchGetItems of their posts, consistent; the stream behind the checkpoints
    only if they differ.
    """
    post_id = row(Post, raw).post_id
    yield from mend_count(
        LikeCount,
        keys.like_count(post_id),
        "quotes",
        count=partial(_count_quotes, post_id),
        waiting=partial(_waiting_quotes, post_id),
    )


def clear_orphaned_quotes(quotes: Sequence[RawItem]) -> None:
    """Takes quotes out of the lists of posts that are gone, and those whose own post is gone."""
    pairs = [(raw, keys.like_count(row(Quote, raw).quote_of), _post_key(raw)) for raw in quotes]
    found = fetch({key: None for _, *both in pairs for key in both}, consistent=True)
    gone = [raw for raw, count, post in pairs if count not in found or post not in found]
    write_batch(deletes=map(key_of, gone))


def _count_quotes(post_id: str) -> int:
    listed = map(_post_key, query(keys.quotes(post_id), consistent=True))
    posts = fetch(listed, consistent=True).values()
    return sum(is_counted(row(Post, post)) for post in posts)


def _post_key(raw: RawItem) -> keys.Key:
    pointer = pointer_of(raw)
    return keys.post(pointer.author_id, pointer.post_id)


def _waiting_quotes(post_id: str, unapplied: Unapplied) -> int:
    return sum(
        difference(change.old, change.new)
        for change in unapplied.changes(Post)
        if isinstance(change.item, Post) and change.item.quote_of == post_id
    )
