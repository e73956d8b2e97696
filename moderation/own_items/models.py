"""Items of moderation in a person's own partitions that are no decision about them: an account that was secured, and
what became of someone's reports. `moderation/models.py` holds all others, and these too."""

from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import Item, keys


class Secured(Item, discriminator="Secured"):
    """In the person's partition: that staff secured their account, as someone else may have used it. It is no strike.
    `posts` are those that are still hidden for it. `undone_at` says that staff took it back."""

    page = "/secured"

    user_id = UnicodeAttribute()
    secured_id = UnicodeAttribute()
    posts = UnicodeSetAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, secured_id: str) -> Self:
        return cls(*keys.secured(user_id, secured_id), user_id=user_id, secured_id=secured_id)


class ReporterRecord(Item, discriminator="ReporterRecord"):
    """In the reporter's partition: how many of the cases to which they reported ended with an action, with the sentence
    that no rule was broken, and not yet. `counted` numbers the times that the worker counted. `muted_until` is staff's:
    until then their reports open no case, and they are not told."""

    user_id = UnicodeAttribute()
    upheld = NumberAttribute(default=0)
    rejected = NumberAttribute(default=0)
    waiting = NumberAttribute(default=0)
    counted = NumberAttribute(default=0)
    muted_until = UnicodeAttribute(null=True)
