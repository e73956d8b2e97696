"""Who may see a post: asked on every read, so that what changes acts at once, however far the stream worker is."""

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from socialsite.table.reading import RawItem


def can_view(viewer: Viewer, post: RawItem | None, author: PersonCard | None) -> bool:
    """Deny by default: the post must be there and its author too. Every read of a post passes through here."""
    return post is not None and author is not None
