"""Pinning posts to the top of one's own page. Which of them others see is decided when the page is read."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pynamodb.expressions.condition import Condition

from accounts.models import UserCount
from accounts.viewer import Viewer
from feed.expiring.moments import is_there
from feed.models import Post
from socialsite.table import keys
from socialsite.table.actions import Change, Check
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch
from socialsite.table.row import row
from socialsite.table.writing import change, transact

MOST_PINS = 3


class CannotPin(TableError):
    """The post cannot be pinned. `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@access_pattern
def pin_post(*, by: Viewer, post_id: str) -> None:
    """Pins one of the signed-in person's own posts, but no reply. Safe to repeat. Pinned posts that were deleted or
    withheld since make room. Raises `NotFound`, `CannotPin` with a sentence (a withheld post, too many pins), `Frozen`.

    Two consistent BatchGetItems of the post, the counts and the other pinned posts, at most 5 read units, and one
    TransactWriteItems of the counts, as they were read, with a check of the post, 4 write units.
    """
    by.must_have_voice()
    post_key, count_key = keys.post(by.user_id, post_id), keys.user_count(by.user_id)

    def attempt() -> None:
        found = fetch([post_key, count_key], consistent=True)
        if post_key not in found:
            raise NotFound("no post of theirs")
        post = as_model(Post, found[post_key])
        if post.root_id:
            raise NotFound("a reply")
        if post.withheld:
            raise CannotPin(_("Only you can see this post, so you can’t pin it."))
        pins = row(UserCount, found[count_key]).pins
        if post_id in pins:
            return
        kept = _shown(by, pins)
        if len(kept) >= MOST_PINS:
            raise CannotPin(why_full())
        changes = [UserCount.pins.set({*kept, post_id})]
        transact(
            Change(UserCount, count_key, changes, are_pins(pins), otherwise=Moved),
            Check(post_key, is_there() & Post.withheld.does_not_exist(), Moved),
        )

    write_as_read(attempt)


@access_pattern
def unpin_post(*, by: Viewer, post_id: str) -> None:
    """Takes a post off the top of the signed-in person's page. Safe to repeat. One UpdateItem, 1 write unit."""
    change(UserCount, keys.user_count(by.user_id), [UserCount.pins.delete({post_id})])


def why_full() -> str:
    return ngettext(
        "You can pin %(n)d post. Unpin it first.",
        "You can pin %(n)d posts. Unpin one of them first.",
        MOST_PINS,
    ) % {"n": MOST_PINS}


def _shown(by: Viewer, pins: Collection[str]) -> list[str]:
    """Returns those of the pinned posts that are there and not withheld."""
    wanted = {post_id: keys.post(by.user_id, post_id) for post_id in pins}
    found = fetch(wanted.values(), consistent=True)
    return [one for one, key in wanted.items() if key in found and "withheld" not in found[key]]


def are_pins(pins: Collection[str]) -> Condition:
    """The condition that these are the pins."""
    return UserCount.pins == set(pins) if pins else UserCount.pins.does_not_exist()
