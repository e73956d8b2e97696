"""What must always hold for posts: people's counts of them, the ends of those that end by themselves, for each of which
the clock comes, so that none stays for days, the pinned ones, and what they said before their edits. Corrects ends
while people go on posting.

Also what must hold between posts and their photos, and what corrects it after stream records were lost: a closed post
keeps no copy for everyone, an open one has its copies, and photos of a post that is gone go with their files. Those of
a post that has ended go at its end, before its item does.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from accounts.checks import wrong_counts
from accounts.models import UserCount
from accounts.people.cards import counted_end, still_ahead
from feed.posts.models import Post, PostPhoto
from feed.posts.writes import ENDS, set_of
from feed.publishing.changes import MOST_PINS
from feed.publishing.models import PostVersion
from feed.publishing.photos import settle_photos
from feed.publishing.writes import END_POST, MOST_ENDING, are_ends, set_ends
from feed.timelines.models import MediaEntry
from photos.models import Photo
from photos.writes import plan_sweep
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.invariants import must_hold
from socialsite.streams.late_writes import CLOCKS_DIFFER
from socialsite.table import (
    Item,
    Key,
    NotFound,
    RawItem,
    change,
    fetch,
    get,
    key_of,
    keys,
    query,
    row,
    transact,
    write_batch,
)

Place = tuple[str, str]  # a person and one of their sets of ends


@must_hold
@dataclass
class PostInvariants:
    """Give it every item with `add`, then ask for `results`. A withheld post does not count."""

    posts: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    imported: Counter[str] = field(default_factory=Counter)
    post_counts: dict[str, int] = field(default_factory=dict)
    closed_counts: dict[str, int] = field(default_factory=dict)
    imported_counts: dict[str, int] = field(default_factory=dict)
    pins: dict[str, int] = field(default_factory=dict)
    ending: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    ends: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, item: Item) -> None:
        match item:
            case Post() if item.ttl:
                place = item.author_id, set_of(item.audience or "", item.withheld or "")
                self.ending[place].add(counted_end(item.ttl, item.post_id))
            case Post():
                self.posts[item.author_id] += item.withheld is None
                self.closed[item.author_id] += item.withheld is None and bool(item.audience)
                self.imported[item.author_id] += item.withheld is None and bool(item.imported)
            case UserCount():
                self.post_counts[item.user_id] = int(item.posts)
                self.closed_counts[item.user_id] = int(item.closed)
                self.imported_counts[item.user_id] = int(item.imported or 0)
                self.pins[item.user_id] = len(item.pins or ())
                for name in ENDS:
                    self.ends[item.user_id, name] = set(getattr(item, name) or ())

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "post counts equal posts": list(wrong_counts(self.post_counts, self.posts)),
            "counts of closed posts equal posts for some": list(
                wrong_counts(self.closed_counts, self.closed)
            ),
            "counts of imported posts equal imported posts": list(
                wrong_counts(self.imported_counts, self.imported)
            ),
            "nobody pins more posts than they can": sorted(
                user_id for user_id, pins in self.pins.items() if pins > MOST_PINS
            ),
            "each post that ends by itself stands among its author's ends": sorted(self._wrong()),
            "nobody has more ends than they can": sorted(
                user_id
                for user_id in self.post_counts
                if sum(len(self.ends[user_id, name]) for name in ENDS) > MOST_ENDING
            ),
        }

    def _wrong(self) -> Iterator[str]:
        for user_id in self.post_counts:
            for name in ENDS:
                place = user_id, name
                yield from still_ahead(self.ending[place] - self.ends[place])
                # A process whose clock is ahead deletes a post too early, by as much as it is ahead.
                yield from still_ahead(self.ends[place] - self.ending[place], by=CLOCKS_DIFFER)


@must_hold
@dataclass
class EndInvariants:
    """Give it every item with `add`, then ask for `results`."""

    ending: set[str] = field(default_factory=set)
    planned: Counter[str] = field(default_factory=Counter)

    def add(self, item: Item) -> None:
        match item:
            case Post() if item.ttl and item.ttl > utc_now():
                self.ending.add(item.post_id)
            case Due() if item.kind == END_POST:
                self.planned[item.subject] += 1

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "every post that disappears by itself has its end planned, once": sorted(
                post_id for post_id in self.ending if self.planned[post_id] != 1
            ),
        }


@must_hold
@dataclass
class VersionInvariants:
    """Give it every item with `add`, then ask for `results`."""

    versions: dict[str, int] = field(default_factory=dict)
    kept: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.versions[item.post_id] = int(item.version or 1)
            case PostVersion():
                self.kept[item.post_id].add(int(item.version))

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "what a post said before each edit is kept": sorted(
                f"{post_id}: {sorted(self.kept[post_id])} before {version}"
                for post_id, version in self.versions.items()
                if self.kept[post_id] != set(range(1, version))
            ),
            "nothing is kept of what a deleted post said": sorted(
                self.kept.keys() - self.versions.keys()
            ),
        }


LOOKS = 5


def mend_ends(user_id: str) -> Iterator[str]:
    """Sets the ends of a person's posts to those of the posts that are there, and yields a line if any was wrong.

    One consistent GetItem, and a Query of the posts; an UpdateItem if they differ, on condition that they are as read.
    """
    key = keys.user_count(user_id)
    for _ in range(LOOKS):
        try:
            count = get(UserCount, key, consistent=True)
        except NotFound:
            return
        there = _ends_of_posts(user_id)
        stored = {name: still_ahead(getattr(count, name)) for name in ENDS}
        if stored == there:
            return
        try:
            change(UserCount, key, set_ends(count, there), condition=are_ends(count))
        except NotFound:  # they changed meanwhile: look again
            continue
        wrong = sum(len(stored[name] ^ there[name]) for name in ENDS)
        yield f"{key.pk} ends: {wrong} corrected"


def _ends_of_posts(user_id: str) -> dict[str, set[str]]:
    ends: dict[str, set[str]] = {name: set() for name in ENDS}
    for raw in query(keys.posts(user_id), consistent=True):
        if raw["type"]["S"] == Post.__name__ and "ttl" in raw:
            post = row(Post, raw)
            name = set_of(post.audience or "", post.withheld or "")
            ends[name].add(counted_end(post.ttl, post.post_id))
    return {name: still_ahead(one) for name, one in ends.items()}


@must_hold
@dataclass
class PostPhotoInvariants:
    """Give it every item with `add`, then ask for `results`."""

    shown: dict[str, tuple[str, PostPhoto]] = field(default_factory=dict)  # by the photo's id
    used: dict[str, Photo] = field(default_factory=dict)
    with_photos: set[str] = field(default_factory=set)
    pointers: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case Post(ttl=ttl) if ttl and ttl <= utc_now():
                self.ended.add(item.post_id)
            case Post(photos=photos) if photos:
                self.with_photos.add(item.post_id)
                self.shown |= {one.photo_id: (item.post_id, one) for one in photos}
            case Photo(post_id=post_id) if post_id:
                self.used[item.photo_id] = item
            case MediaEntry():
                self.pointers.add(item.post_id)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        used = {one: photo for one, photo in self.used.items() if photo.post_id not in self.ended}
        both = self.shown.keys() & used.keys()
        return {
            "a photo of a post is the post's, and no other photo is": sorted(
                {*(self.shown.keys() ^ used.keys())}
                | {one for one in both if self.shown[one][0] != used[one].post_id}
            ),
            "a post names the files of its photos as the photos do": sorted(
                one for one in both if not _is_same(self.shown[one][1], used[one])
            ),
            "posts with photos, and no others, are among their author's media": sorted(
                self.with_photos ^ (self.pointers - self.ended)
            ),
        }


def _is_same(shown: PostPhoto, photo: Photo) -> bool:
    return (shown.secret, shown.public_secret) == (photo.secret, photo.public_secret)


def mend_photos(raw: RawItem) -> None:
    """Gives photos of a post copies for everyone, or takes them back, as `settle_photos`. Nothing for other posts."""
    post = row(Post, raw)
    if post.photos:
        settle_photos(post.author_id, post.post_id)


def clear_orphaned_photos(photos: Sequence[RawItem], entries: Sequence[RawItem]) -> None:
    """Deletes photos whose post is gone, and pointers to such posts, after a consistent look at each post."""
    posts = {key_of(raw): _post_of_photo(raw) for raw in photos if "post_id" in raw}
    posts |= {key_of(raw): _post_of_entry(raw) for raw in entries}
    there = fetch(dict.fromkeys(posts.values()), consistent=True)
    write_batch(deletes=[key for key, post in posts.items() if post not in there])


def sweep_again(user_id: str) -> None:
    """Plans a look for files that no photo of a person names: the record that would have deleted them may be lost. 4
    write units."""
    transact(plan_sweep(user_id))


def _post_of_photo(raw: RawItem) -> Key:
    photo = row(Photo, raw)
    return keys.post(photo.user_id, photo.post_id)


def _post_of_entry(raw: RawItem) -> Key:
    entry = row(MediaEntry, raw)
    return keys.post(entry.author_id, entry.post_id)
