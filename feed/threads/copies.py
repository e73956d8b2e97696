"""The copy of a reply in its thread: every change of the post changes it in the same transaction."""

from collections.abc import Sequence

from pynamodb.expressions.update import Action

from feed.models import Post, Reply
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.as_read import Moved
from socialsite.table.errors import TableError
from socialsite.table.item import Item
from socialsite.table.keys import Key

GONE = "yes"


def is_counted(reply: Reply) -> bool:
    """Whether a place counts as a reply to the post above it: others can see it."""
    return not reply.gone and not reply.withheld


def difference(old: Item | None, new: Item | None) -> int:
    """Returns by how much a change of a place changes the count of the post above it."""
    was, is_now = (isinstance(one, Reply) and is_counted(one) for one in (old, new))
    return is_now - was


def place_of(post: Post) -> Key | None:
    """Returns the key of the copy of a post, None if it is not a reply."""
    return keys.reply_place(post.root_id, str(post.path)) if post.root_id else None


def change_copy(
    post: Post, actions: Sequence[Action], otherwise: type[TableError] = Moved
) -> list[WriteAction]:
    """Returns the change of the copy that goes with a change of the post, empty if it is not a reply."""
    place = place_of(post)
    return [Change(Reply, place, actions, otherwise=otherwise)] if place else []


def empty_copy(post: Post) -> list[WriteAction]:
    """Returns what becomes of the copy when its post is deleted: the place stays for the answers below it, without the
    text and photos. The stream worker removes it if there are none."""
    emptied = (
        *(Reply.content, Reply.mentions, Reply.withheld, Reply.sensitive),
        *(Reply.version, Reply.edited_at, Reply.warning, Reply.lang, Reply.photos),
    )
    return change_copy(post, [Reply.gone.set(GONE), *(one.remove() for one in emptied)])
