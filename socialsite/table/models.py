"""Items about the table itself: which code and key its data belong to."""

from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite import keys
from socialsite.table.item import Item


class DataState(Item, discriminator="DataState"):
    """The state of the table's data: the version of the newest code that wrote here, the ids of the keys in use
    (`socialsite/table/data_state.py`), up to which version all data were brought (`operations/upgrade.py`), and how far
    the first start got (`operations/seed/first_start.py`).

    A site that was ever moved has a `site_id`, the same wherever its data are. `standing` says that they are only on
    their way here, or have left for `left_for` (`operations/moving/`)."""

    version = NumberAttribute()
    upgraded = NumberAttribute(null=True)
    key_ids = UnicodeSetAttribute()
    first_start = UnicodeAttribute(null=True)
    site_id = UnicodeAttribute(null=True)
    standing = UnicodeAttribute(null=True)
    left_for = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, version: int, key_ids: set[str]) -> Self:
        return cls(*keys.data_state(), version=version, key_ids=key_ids)


class RetiredKey(Item, discriminator="RetiredKey"):
    """The secrets still needed from an earlier `DATA_KEY`, encrypted with the current key
    (`accounts/encryption/site_keys.py`)."""

    key_id = UnicodeAttribute()
    secrets = UnicodeAttribute()

    @classmethod
    def new(cls, *, key_id: str, secrets: str) -> Self:
        return cls(*keys.retired_key(key_id), key_id=key_id, secrets=secrets)
