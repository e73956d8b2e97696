"""The change of an author's post count when posts are published, deleted, hidden, shown again, or get another
audience."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserCount
from accounts.models.ends import end_text
from feed.models import Post
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.as_read import Moved
from socialsite.table.errors import NotFound

ENDS = ("ends", "closed_ends", "withheld_ends")  # each end of a post stands in one of these sets


class PostCount:
    """What one transaction changes of an author's post count. A withheld post does not count, one that is not for
    everyone is also counted apart, and one that ends by itself is not counted but stands in a set of ends."""

    def __init__(self, author_id: str) -> None:
        self.author_id = author_id
        self.changes: Counter[str] = Counter()
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
            ends[set_of(audience, withheld)].add(end_text(post.ttl, post.post_id))
        elif not withheld:
            self.changes[audience] += by

    def writes(self, *, only_if: Condition | None = None) -> list[WriteAction]:
        """Returns the change of the author's `UserCount`, nothing if all stays as it is. `only_if` is a condition on
        the counts as they were read, whose failure is `Moved`."""
        actions = _numbers(self.changes)
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


def count_posts(author_id: str, changes: Mapping[str, int]) -> list[WriteAction]:
    """Returns the change of the author's `UserCount` for this many lasting posts of each audience: negative for removed
    posts, empty if nothing changes."""
    actions = _numbers(changes)
    return [Change(UserCount, keys.user_count(author_id), actions)] if actions else []


def _numbers(changes: Mapping[str, int]) -> list[Action]:
    posts = sum(changes.values())
    closed = sum(change for audience, change in changes.items() if audience)
    actions: list[Action] = [UserCount.posts.add(posts)] if posts else []
    return [*actions, UserCount.closed.add(closed)] if closed else actions


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
