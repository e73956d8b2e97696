"""The base class of every item in the table.

Indexes, the TTL attribute and `Meta` are declared only here. PynamoDB forgets an index or a TTL attribute that only a
subclass declares, and a subclass with its own `Meta` opens its own connection.
"""

from functools import cache
from typing import Any, ClassVar

from django.conf import settings
from pynamodb.attributes import DiscriminatorAttribute, TTLAttribute, UnicodeAttribute
from pynamodb.constants import PAY_PER_REQUEST_BILLING_MODE, STREAM_NEW_AND_OLD_IMAGE
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model

from socialsite.keys.key import Key

type_index_name = "typeIndex"
escalated_index_name = "escalatedIndex"
INDEXES = {  # the sparse indexes with their partition key and sort key
    type_index_name: ("relation_target", "update_time"),
    escalated_index_name: ("escalated_to", "escalated_at"),
}
MOST_BYTES = 4096  # of an item: reading it costs one unit


class TypeIndex(GlobalSecondaryIndex["Item"]):
    """The relationships of a type with a person, newest first. Sparse: only relationships have both attributes."""

    class Meta:
        index_name = type_index_name
        projection = AllProjection()
        billing_mode = PAY_PER_REQUEST_BILLING_MODE

    relation_target = UnicodeAttribute(hash_key=True)
    update_time = UnicodeAttribute(range_key=True)


class EscalatedIndex(GlobalSecondaryIndex["Item"]):
    """The moderation queue, oldest first. Sparse: only open cases have both attributes."""

    class Meta:
        index_name = escalated_index_name
        projection = AllProjection()
        billing_mode = PAY_PER_REQUEST_BILLING_MODE

    escalated_to = UnicodeAttribute(hash_key=True)
    escalated_at = UnicodeAttribute(range_key=True)


MOST_NAMED = 100  # types that a filter can name


class ItemType(DiscriminatorAttribute):
    """The type of an item. PynamoDB's Query of a class filters by its types, and the base has more than one can name:
    it asks for items of any type."""

    def is_in(self, *types: Any) -> Any:
        return super().is_in(*types) if len(types) <= MOST_NAMED else self.exists()


class Item(Model):
    """One item of the table. Readers drop an item past its `ttl`; DynamoDB deletes it some time later.

    A type is of the `family` of its room (`lens/browser/item_types.py`), or names another. It names the `page` on which
    people see it, if there is one: `{user_id}` stands for the attribute, `@{user_id}` for the handle of that person. It
    has at most `most_bytes`.
    """

    family: ClassVar[str] = ""
    page: ClassVar[str] = ""
    most_bytes: ClassVar[int] = MOST_BYTES

    class Meta:
        table_name = settings.DYNAMODB_TABLE
        region = settings.DYNAMODB_REGION
        host: str | None = None  # set by `connection.py` before the first call
        billing_mode = PAY_PER_REQUEST_BILLING_MODE
        stream_view_type = STREAM_NEW_AND_OLD_IMAGE
        connect_timeout_seconds: float  # these two as well, while `resilience.py` repeats calls
        read_timeout_seconds: float
        max_pool_connections = 32

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    item_type = ItemType(attr_name="type")
    ttl = TTLAttribute(null=True)

    relation_target = UnicodeAttribute(null=True)
    update_time = UnicodeAttribute(null=True)
    type_index: ClassVar = TypeIndex()

    escalated_to = UnicodeAttribute(null=True)
    escalated_at = UnicodeAttribute(null=True)
    escalated_index: ClassVar = EscalatedIndex()

    @property
    def key(self) -> Key:
        return Key(self.pk, self.sk)


@cache
def item_models() -> dict[str, type[Item]]:
    """Returns the models of all items by type."""
    found, waiting = {}, list(Item.__subclasses__())
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        found[model.__name__] = model
    return found
