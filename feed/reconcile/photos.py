"""Corrects photos of posts after stream records were lost: a closed post keeps no copy for everyone, an open one has
its copies, and photos of a post that is gone go with their files."""

from collections.abc import Sequence

from feed.models import MediaEntry, Post
from feed.photos.showing import settle_photos
from photos.models import Photo
from photos.sweeping import plan_sweep
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch, key_of
from socialsite.table.row import row
from socialsite.table.writing import transact, write_batch


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
