"""What people may do with drafts and scheduled posts: only with their own. Rows as in `authorisation.py`."""

from tests.web.authorisation import MEMBERS, get, post

UNPUBLISHED_ROWS = [
    get("drafts", "/drafts", MEMBERS),
    post("drafts", "/drafts", MEMBERS, content="Hello", nonce="n" * 22),
    get("delete_draft", "/drafts/{post}/delete", "innnnnnnnn"),  # of nobody
    post("delete_draft", "/drafts/{post}/delete", MEMBERS, version="1"),  # changes nothing
    get("scheduled", "/scheduled", MEMBERS),
    get("delete_scheduled", "/scheduled/1803600000-{post}/delete", "innnnnnnnn"),  # of nobody
    post("delete_scheduled", "/scheduled/1803600000-{post}/delete", "innnnnnnnn", version="1"),
    post("publish_scheduled", "/scheduled/1803600000-{post}/publish", "innnnnnnnn"),
]
