"""A person's own page, on which they can take back every repost, also one that shows nothing now."""

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.access_patterns import page_of_posts, source_of_posts
from feed.cards import PostCard
from feed.cards.unseen import UnseenPost, reposts_in_place
from feed.pointers import pointer_of
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page


@access_pattern
def list_own_posts(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard | UnseenPost]:
    """Returns what `list_posts` does, for the author alone, with the places of reposts whose posts they may not see now
    or that are no longer for everyone. The same calls."""
    page, cards = page_of_posts(source_of_posts(author.user_id), author, viewer, cursor)
    return page.with_items(reposts_in_place(map(pointer_of, page.items), cards, author))
