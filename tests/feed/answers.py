"""Answering in tests."""

from accounts.people.viewer import Viewer
from feed.posts.reads import Pointer
from feed.threads.writes import reply
from socialsite.table import ids


def answer(by: Viewer, author: Viewer, post_id: str, content: str = "I see") -> str:
    """Answers a post of the author, and returns the id of the reply."""
    return reply(by=by, to=Pointer(post_id, author.user_id), content=content, nonce=ids.new_id())
