"""What tests of hints share: new accounts that post alike."""

from accounts.people.viewer import Viewer
from feed.posts.models import Post
from socialsite import keys
from socialsite.table import reading
from tests.conftest import person, post

SPAM = "Buy cheap watches here, today only"


def newcomers(count: int) -> list[Viewer]:
    return [person(f"new{number:02}") for number in range(count)]


def all_post(authors: list[Viewer], text: str = SPAM) -> list[str]:
    """Each posts the text; returns the ids of the posts."""
    return [post(author, text) for author in authors]


def item_of(author: Viewer, post_id: str) -> Post:
    return reading.get(Post, keys.post(author.user_id, post_id), consistent=True)
