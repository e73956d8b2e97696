"""What tests of edits share."""

from django.test import Client

from accounts.people.viewer import Viewer
from feed.posts.models import Post
from feed.publishing.changes import edit_post
from socialsite.streams.worker import Worker
from socialsite.table import get, keys
from tests.looks import broken_invariants, drain
from tests.web.html import Html


def stored(author: Viewer, post_id: str) -> Post:
    return get(Post, keys.post(author.user_id, post_id), consistent=True)


def edit(by: Viewer, post_id: str, content: str, version: int = 0) -> None:
    """Edits the post as it is now, unless a version is given."""
    version = version or int(stored(by, post_id).version or 1)
    edit_post(by=by, post_id=post_id, content=content, version=version)


def send(browser: Client, post_id: str, content: str, version: int | str = 1, **extra):
    form = {"content": content, "version": str(version)}
    return browser.post(f"/@alice/posts/{post_id}/edit", form, **extra)


def broken() -> dict[str, list[str]]:
    """What is not as it must be once the worker has caught up."""
    drain(Worker())
    return broken_invariants()


def said(page: Html, field: str = "content") -> str:
    """The message beside a field of the form of an edit."""
    return " ".join(one.text for one in page.all(id=f"edit_{field}_error"))
