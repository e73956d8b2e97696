"""The list of blocked pictures, as it is stored. No item says whose picture it was: it holds no data of a person."""

from pynamodb.attributes import UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import Item


class BlockedPicture(Item, discriminator="BlockedPicture"):
    """One hash on the list: `kind` is `sha256`, `md5` or `pdq`. `holders` are the decisions and lists for which it is
    there; without any it blocks nothing, and goes."""

    family = "site"
    page = "/moderation/pictures"

    kind = UnicodeAttribute()
    value = UnicodeAttribute()
    holders = UnicodeSetAttribute(null=True)
    added_at = UnicodeAttribute()


class BlockedBand(Item, discriminator="BlockedBand"):
    """Perceptual hashes on the list that are alike in one band of 16 bits, which its key names. The stream worker keeps
    them."""

    family = "site"
    most_bytes = 262_144  # 3,600 hashes; on a list of a million there are 15 on average

    hashes = UnicodeSetAttribute(null=True)
