"""Hints at waves, and the accounts and posts that they are about. Shape and keys only."""

from enum import StrEnum

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table.item import Item


class HintKind(StrEnum):
    TEXT = "text"  # the same text, on one day
    LINK = "link"  # links to the same host, within one hour
    PLACE = "place"  # sign-ins from the same network, on one day


class SamePost(Item, discriminator="SamePost"):
    """Posts of a new account that are like those of others: at most 20, as many as an action takes. None for an account
    that came from the same network as others."""

    author_id = UnicodeAttribute()
    posts = UnicodeSetAttribute(null=True)


class Hint(Item, discriminator="Hint"):
    """Several new accounts posted the same, or came from one network. `authors` is how many were found so far, at most
    100. The sample is one of the posts, if there are any; the search for erased people takes its author out. `put_away`
    says that staff need not see it any more."""

    hint_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    host = UnicodeAttribute(null=True)  # of the links
    authors = NumberAttribute()
    sample_id = UnicodeAttribute(null=True)
    sample_author_id = UnicodeAttribute(null=True)
    put_away = UnicodeAttribute(null=True)
