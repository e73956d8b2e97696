"""Reads of photos in posts: their whole descriptions, and a person's posts with photos."""

from collections.abc import Sequence

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.pointers import pointer_of
from feed.visible_posts import get_posts
from photos.models import Photo
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page
from socialsite.table.reading import fetch
from socialsite.table.row import row


@access_pattern
def get_post_of_photos(post_id: str, author_id: str, *, viewer: Viewer) -> PostCard:
    """Returns a post whose photos have their whole descriptions. Raises `NotFound`, also if the viewer may not see the
    post.

    `get_post`, and one BatchGetItem of the photos, at most 2 read units; none for a post without photos.
    """
    post = get_post(post_id, author_id, viewer=viewer)
    if not post.photos:
        return post
    descriptions = _descriptions(author_id, [photo.photo_id for photo in post.photos])
    photos = (
        photo.described(text or photo.alt)
        for photo, text in zip(post.photos, descriptions, strict=True)
    )
    return post._replace(photos=tuple(photos))


def _descriptions(author_id: str, photo_ids: Sequence[str]) -> list[str]:
    asked = [keys.photo(author_id, photo_id) for photo_id in photo_ids]
    found = fetch(asked)
    return [row(Photo, found.get(key, {})).alt or "" for key in asked]


@access_pattern
def list_media(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Returns a person's posts with photos, newest first, of those the ones that the viewer may see.

    Query `PK = u#<id>#media`, then one BatchGetItem of at most 80 keys, as `get_posts`.
    """
    page = query_page(keys.media(author.user_id), cursor=cursor)
    return page.with_items(get_posts(map(pointer_of, page.items), viewer=viewer))
