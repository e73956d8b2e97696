"""Which replies are on a page below a post, read onwards from the first one, or back from a later page.

A page holds whole branches, so that the same replies stand together whichever way it is reached. Of a branch it shows
the first ten, so that no loud one drowns the others. A branch that is alone on its page is shown as far as there is
room, and goes on from page to page. Also the places that stand around a post: above it, before it in a story, and its
direct answers.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from feed.posts.models import Post, Reply
from socialsite.table import Key, Place, RawItem, key_of, keys, query, row

ABOVE = 3  # replies shown above a reply


def path_of(raw: RawItem) -> str:
    """Returns the path of a raw `Reply`."""
    return key_of(raw).sk


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


def read_story(root_id: str) -> Iterator[RawItem]:
    """Yields the further posts that were published with the first one, read consistently: one Query."""
    rows = query(keys.thread(root_id), between=keys.story_bounds(), consistent=True)
    yield from (raw for raw in rows if row(Reply, raw).story)


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


PAGE = 50  # replies
OF_A_BRANCH = 10  # of one answer and what is below it
JUMPS = 3  # over the rest of loud branches, for one page
ENOUGH = 25  # replies: a page that is read back does without the branch before them
PARTS = 10  # parts of a story shown below one of them


@dataclass(slots=True)
class Below:
    """A page of raw `Reply` items below the post at `path`, in the order in which they were read: `backwards` the last
    one first, and `story` the parts of a story that stand before them. `began_at` is the cursor's place, and `goes_on`
    says that there is more to read. `unfinished` holds the answers to the post of whose branches the page leaves
    something out, `split` those whose branches the page before or behind this one shares. Both hold paths."""

    path: str
    began_at: Place | None = None
    rows: list[RawItem] = field(default_factory=list)
    story: list[RawItem] = field(default_factory=list)
    goes_on: bool = False
    unfinished: set[str] = field(default_factory=set)
    split: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.began_at and self.began_at.sk != (top := self.top_at(self.began_at.sk)):
            self.split.add(top)

    @property
    def backwards(self) -> bool:
        return self.began_at is not None and self.began_at.direction == "previous"

    def in_order(self) -> list[RawItem]:
        """Returns the page from top to bottom."""
        return [*self.story, *(self.rows[::-1] if self.backwards else self.rows)]

    def top_at(self, path: str) -> str:
        """Returns the path of the answer to the post to whose branch a path belongs."""
        return keys.top_below(path, self.path)

    def top_of(self, raw: RawItem) -> str:
        return self.top_at(path_of(raw))

    def cut(self, count: int) -> None:
        """Keeps as many whole branches as the first `count` rows hold, and leaves the others to the next page; of a
        branch that fills the page, that many rows."""
        if count >= len(self.rows):
            return
        top = self.top_of(self.rows[count])
        whole = next(number for number, raw in enumerate(self.rows) if self.top_of(raw) == top)
        self.rows = self.rows[: whole or count]
        self.goes_on = True
        self.unfinished.discard(top)
        if not whole:
            self.split.add(top)

    @property
    def before(self) -> Place | None:
        """Where the page before this one ends, None if this is the first."""
        if not self.rows or not (self.goes_on if self.backwards else self.began_at):
            return None
        first = path_of(self.rows[-1 if self.backwards else 0])
        top = self.top_at(first)
        return Place("previous", first if top in self.split else top)

    @property
    def behind(self) -> Place | None:
        """Where the page behind this one begins, None if this is the last."""
        if not self.rows or not (self.began_at if self.backwards else self.goes_on):
            return None
        last = path_of(self.rows[0 if self.backwards else -1])
        top = self.top_at(last)
        return Place("next", last if top in self.split else _end_of(top))


def read_below(root_id: str, path: str, *, place: Place | None = None) -> Below:
    """Returns a page of the replies below a reply, or below the root if the path is empty: the first, or the one next
    to a place. Below a part of a story the next parts come first.

    One Query, one more for the parts, and at most three more for branches with many replies.
    """
    page = Below(path, began_at=place)
    partition = keys.thread(root_id)
    if page.backwards:
        _read_back(page, partition)
    else:
        _read_on(page, partition)
    return page


def _read_on(page: Below, partition: str) -> None:
    if page.began_at is None:
        page.story = _parts(page.path, partition)
    size = PAGE - len(page.story)
    after = page.began_at.sk if page.began_at else ""
    sizes: Counter[str] = Counter()
    rest: list[RawItem] = []  # of loud branches
    page.goes_on = True
    for _ in range(1 + JUMPS):
        room = size + 1 - len(page.rows)
        read = _rows(partition, page.path, start=after, limit=room)
        for raw in read:
            top = page.top_of(raw)
            sizes[top] += 1
            if sizes[top] <= OF_A_BRANCH or top in page.split:
                page.rows.append(raw)
            else:
                page.unfinished.add(top)
                rest.append(raw)
        if len(read) < room:
            page.goes_on = False
            break
        last = path_of(read[-1])
        top = page.top_at(last)
        after = _end_of(top) if top in page.unfinished else last
        if len(page.rows) > size:
            break
    if len(sizes) == 1:
        page.rows += rest
        page.unfinished.clear()
    elif page.goes_on and len(page.rows) <= size and top not in page.unfinished:
        page.cut(len(page.rows) - 1)  # of the last branch there may be more
    page.cut(size)


def _read_back(page: Below, partition: str) -> None:
    assert page.began_at is not None
    before = page.began_at.sk
    branches: dict[str, list[RawItem]] = {}
    page.goes_on = True
    for enough in (ENOUGH, 1):
        room = PAGE + 1 - sum(map(len, branches.values()))
        read = _rows(partition, page.path, start=before, limit=room, forward=False)
        for raw in read:
            branches.setdefault(page.top_of(raw), []).append(raw)
        for top, rows in branches.items():
            if len(rows) > OF_A_BRANCH and top not in page.split:
                page.unfinished.add(top)
                del rows[:-OF_A_BRANCH]
        if len(read) < room:
            page.goes_on = False
            break
        before = page.top_of(read[-1])
        if before in page.split:
            break
        # Of the last branch there may be more before: a page that has enough goes without it.
        rows = branches.pop(before)
        page.unfinished.discard(before)
        if sum(map(len, branches.values())) >= enough:
            break
        first = _first_of(partition, before)
        if len(first) > OF_A_BRANCH:
            page.unfinished.add(before)
        branches[before] = first[:OF_A_BRANCH][::-1]
    page.rows = [raw for rows in branches.values() for raw in rows]
    page.cut(PAGE)


def _rows(
    partition: str, path: str, *, start: str, limit: int, forward: bool = True
) -> list[RawItem]:
    after = Key(partition, start) if start else None
    between = keys.branch_bounds(path)
    rows = query(partition, after=after, between=between, forward=forward, limit=limit)
    return list(islice(rows, limit))


def _parts(path: str, partition: str) -> list[RawItem]:
    """Returns the parts of a story that come next, below one of them."""
    if not path or not keys.is_of_story(path):
        return []
    between = keys.story_bounds()
    parts = query(partition, after=Key(partition, path), between=between, limit=PARTS)
    return list(islice(parts, PARTS))


def _first_of(partition: str, top: str) -> list[RawItem]:
    """Returns the first replies of a branch, one more than are shown."""
    rows: Iterator[RawItem] = query(partition, between=(top, _end_of(top)), limit=OF_A_BRANCH + 1)
    return list(islice(rows, OF_A_BRANCH + 1))


def _end_of(top: str) -> str:
    return top if keys.is_of_story(top) else keys.end_of_branch(top)
