"""Reads the places of a thread: those above a reply, and a page of those below a post."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from feed.models import Post, Reply
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, query
from socialsite.table.row import row

PAGE = 50  # replies
OF_A_BRANCH = 10  # of one answer and what is below it, so that no loud branch drowns the others
JUMPS = 3  # over the rest of loud branches, for one page
ABOVE = 3  # replies shown above a reply
PARTS = 10  # parts of a story shown below one of them


@dataclass(slots=True)
class Places:
    """A page of raw `Reply` items below the post at `path`, in the order of their paths. `end` is where the next page
    begins, if there is one, and `unfinished` holds the paths of the answers of whose branches the page leaves something
    out."""

    path: str
    rows: list[RawItem] = field(default_factory=list)
    end: str | None = None
    unfinished: set[str] = field(default_factory=set)

    def top_of(self, raw: RawItem) -> str:
        """Returns the path of the answer to the post to whose branch a row belongs."""
        return keys.top_below(path_of(raw), self.path)

    def cut(self, count: int) -> None:
        """Keeps the first rows, and leaves the others to the next page."""
        if count < len(self.rows):
            self.rows = self.rows[:count]
            self.end = path_of(self.rows[-1])


def path_of(raw: RawItem) -> str:
    return row(Reply, raw).path


def places_above(path: str) -> list[str]:
    """Returns the paths at which the nearest replies above one can be. The uppermost may be a part of the story."""
    above = keys.paths_above(path)
    near = above[-ABOVE:]
    return [keys.path_of_part(near[0]), *near] if near and near[0] == above[0] else near


def read_parts_before(root_id: str, path: str) -> list[RawItem]:
    """Returns the parts of a story before one, the earliest first, one more than are shown. One Query."""
    start = keys.reply_place(root_id, path)
    rows = query(
        start.pk, after=start, between=keys.story_bounds(path), forward=False, limit=ABOVE + 1
    )
    return list(islice(rows, ABOVE + 1))[::-1]


def read_answers(post: Post) -> Iterator[RawItem]:
    """Yields the raw `Reply` items that answer a post directly, read consistently. One Query of what stands below it,
    and for a part of a story another one of the parts."""
    path = post.path or ""
    bounds = [keys.branch_bounds(path)]
    if path and keys.is_of_story(path):
        bounds.append(keys.story_bounds())
    elif keys.depth_of(path) == keys.DEEPEST - 1:  # its answers stand beside it
        bounds = [keys.branch_bounds(keys.paths_above(path)[-1])]
    for between in bounds:
        rows = query(keys.thread(post.root_id or post.post_id), between=between, consistent=True)
        yield from (raw for raw in rows if row(Reply, raw).reply_to == post.post_id)


def read_below(root_id: str, path: str, *, after: str = "") -> Places:
    """Returns the next places below a reply, or below the root if the path is empty. Below a part of a story the next
    parts come first.

    One Query, one more for the parts, and at most three more to jump over what is left of branches with many replies.
    """
    places = Places(path)
    partition = keys.thread(root_id)
    if path and keys.is_of_story(path) and not after:
        between = keys.story_bounds()
        parts = query(partition, after=Key(partition, path), between=between, limit=PARTS)
        places.rows += islice(parts, PARTS)
    sizes: dict[str, int] = {}
    for _ in range(1 + JUMPS):
        room = PAGE + 1 - len(places.rows)
        start = Key(partition, after) if after else None
        rows = query(partition, after=start, between=keys.branch_bounds(path), limit=room)
        read = list(islice(rows, room))
        for raw in read:
            top = places.top_of(raw)
            sizes[top] = sizes.get(top, 0) + 1
            if sizes[top] <= OF_A_BRANCH:
                places.rows.append(raw)
            else:
                places.unfinished.add(top)
        if len(read) < room:
            return places
        last = path_of(read[-1])
        top = keys.top_below(last, path)
        after = keys.end_of_branch(top) if top in places.unfinished else last
        if len(places.rows) > PAGE:
            places.cut(PAGE)
            return places
    places.end = after
    return places
