"""What must hold between posts and their photos. Those of a post that has ended go at its end, before its item does
(`stream_handlers/photos/clear_photos.py`)."""

from dataclasses import dataclass, field

from feed.models import MediaEntry, Post, PostPhoto
from photos.models import Photo
from socialsite.clock import utc_now
from socialsite.table.item import Item


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
