"""What a person wants done with their old posts. Shape and keys only."""

from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class OldPostsWish(Item, discriminator="OldPostsWish"):
    """The standing wish that a person's posts are deleted at some age, and what came of it.

    `days` is that age, `chosen` names what goes and what stays (`old_posts/choice.py`), and `next_run` is when the
    worker looks again. All three are missing while the wish is off. `ran_at` is when the last run began, also one that
    the person asked for at once, and `deleted` is how many posts, replies and reposts it has deleted.
    """

    user_id = UnicodeAttribute()
    days = NumberAttribute(null=True)
    chosen = UnicodeSetAttribute(null=True)
    next_run = UnicodeAttribute(null=True)
    ran_at = UnicodeAttribute(null=True)
    deleted = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.old_posts_wish(user_id), user_id=user_id)
