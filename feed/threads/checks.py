"""What must hold for threads once the stream worker has caught up: places, their copies, counts of replies, gates.
Corrects counts and audiences while people go on answering and the worker counts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from feed.posts.models import COPIED, LikeCount, Post, Reply, Story, ThreadGate
from feed.posts.reads import Pointer
from feed.posts.writes import copied_difference, is_counted
from feed.threads.pages import read_answers, read_story
from feed.threads.writes import bring_in_line
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.streams.recounting import Unapplied, mend_count
from socialsite.table import Item, RawItem, key_of, keys, row

Audience = tuple[str | None, str | None]  # with its circle


@must_hold
@dataclass
class ThreadInvariants:
    """Give it every item with `add`, then ask for `results`."""

    posts: set[str] = field(default_factory=set)
    replies: dict[str, Post] = field(default_factory=dict)
    places: dict[str, Reply] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    parts: dict[str, int] = field(default_factory=dict)
    gates: set[str] = field(default_factory=set)
    audiences: dict[str, Audience] = field(default_factory=dict)  # of roots
    of_gates: dict[str, Audience] = field(
        default_factory=dict
    )  # of roots, gone or ending by themselves
    ending: dict[str, int] = field(default_factory=dict)  # when roots end that end by themselves
    root_ends: dict[str, int] = field(default_factory=dict)  # as gates have it

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.posts.add(item.post_id)
                if item.root_id:
                    self.replies[item.post_id] = item
                else:
                    self.audiences[item.post_id] = item.audience, item.circle
                    if item.ttl:
                        self.ending[item.post_id] = int(item.ttl.timestamp())
            case Reply():
                self.places[item.post_id] = item
            case LikeCount():
                self.counts[item.post_id] = int(item.replies or 0)
                self.parts[item.post_id] = int(item.parts or 0)
            case ThreadGate():
                self.gates.add(item.post_id)
                self.of_gates[item.post_id] = item.audience, item.circle
                if item.root_ends:
                    self.root_ends[item.post_id] = int(item.root_ends)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        there = {post_id for post_id, place in self.places.items() if not place.gone}
        shown = Counter(
            place.reply_to
            for place in self.places.values()
            if not place.gone and not place.withheld
        )
        told = Counter(
            place.root_id
            for place in self.places.values()
            if place.story and not place.gone and not place.withheld
        )
        roots = {place.root_id for place in self.places.values()}
        audiences = self.of_gates | self.audiences
        beside = self.of_gates.keys() & self.audiences.keys()
        return {
            "every reply has its place in a thread": sorted(self.replies.keys() ^ there),
            "a place holds what its reply holds": sorted(self._differing()),
            "a reply has the audience of its thread": sorted(
                post_id
                for post_id, post in self.replies.items()
                if (post.audience, post.circle) != audiences.get(str(post.root_id))
            ),
            "reply counts equal the replies that readers can see": [
                f"{post_id}: {count}, {shown[post_id]} replies"
                for post_id, count in self.counts.items()
                if count != shown[post_id]
            ],
            "part counts equal the further posts of a story that readers can see": [
                f"{post_id}: {count}, {told[post_id]} posts"
                for post_id, count in self.parts.items()
                if count != told[post_id]
            ],
            "no place of a deleted reply is left without answers": sorted(self._childless()),
            "a gate stands where a root was deleted and answers are left": sorted(
                roots - self.posts - self.gates
            ),
            "a gate stands beside each root that ends by itself, for the same people": sorted(
                {one for one in beside if self.of_gates[one] != self.audiences[one]}
                | {one for one, end in self.ending.items() if self._lacks_gate(one, end)}
            ),
        }

    def _lacks_gate(self, root_id: str, end: int) -> bool:
        """Whether the gate is missing. Past the end it may have gone with the last answer."""
        if root_id in self.root_ends:
            return self.root_ends[root_id] != end
        return end > utc_now().timestamp()

    def _differing(self) -> Iterator[str]:
        for post_id, post in self.replies.items():
            place = self.places.get(post_id)
            for name in ("path", *COPIED) if place else ():
                mine, copied = getattr(post, name), getattr(place, name)
                if _plain(mine) != _plain(copied):
                    yield f"{post_id}: {name}"

    def _childless(self) -> Iterator[str]:
        above = {
            (place.root_id, keys.paths_above(place.path)[-1])
            for place in self.places.values()
            if keys.depth_of(place.path)
        }
        for post_id, place in self.places.items():
            if place.gone and (place.root_id, place.path.removeprefix(keys.STORY)) not in above:
                yield post_id


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value.as_dict() if hasattr(value, "as_dict") else value


def mend_reply_count(raw: RawItem) -> Iterator[str]:
    """Sets a post's count of replies to those that readers can see, without changes that the worker has yet to count.
    Yields a line if it was wrong.

    One GetItem and a Query of what stands below the post, consistent; the stream behind the checkpoints only if they
    differ.
    """
    post = row(Post, raw)
    yield from mend_count(
        LikeCount,
        keys.like_count(post.post_id),
        "replies",
        count=partial(_count, post),
        waiting=partial(_waiting, post.post_id),
    )


def mend_part_count(raw: RawItem) -> Iterator[str]:
    """Does the same for the further posts of a story, at its first post."""
    post = row(Post, raw)
    if post.story != Story.FIRST:
        return
    yield from mend_count(
        LikeCount,
        keys.like_count(post.post_id),
        "parts",
        count=lambda: sum(is_counted(row(Reply, one)) for one in read_story(post.post_id)),
        waiting=partial(_waiting_parts, post.post_id),
    )


def mend_audience(raw: RawItem) -> None:
    """Gives a reply the audience of its thread. One consistent BatchGetItem; nothing for other posts."""
    post = row(Post, raw)
    if post.root_id:
        bring_in_line(Pointer(post.root_id, post.root_author_id), [key_of(raw)])


def _count(post: Post) -> int:
    return sum(is_counted(row(Reply, raw)) for raw in read_answers(post))


def _waiting(post_id: str, unapplied: Unapplied) -> int:
    return sum(
        copied_difference(change.old, change.new)
        for change in unapplied.changes(Reply)
        if isinstance(change.item, Reply) and change.item.reply_to == post_id
    )


def _waiting_parts(root_id: str, unapplied: Unapplied) -> int:
    return sum(
        copied_difference(change.old, change.new)
        for change in unapplied.changes(Reply)
        if isinstance(change.item, Reply) and change.item.root_id == root_id and change.item.story
    )
