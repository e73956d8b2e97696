"""Items of the machinery: rate limits and the stream worker's leases."""

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from socialsite.table.item import Item


class RateLimit(Item, discriminator="RateLimit"):
    """How often something was done in one window of time. Expires with the window."""

    hits = NumberAttribute()


class Lease(Item, discriminator="Lease"):
    """Who works on a shard of the stream, and how far its records are applied.

    `epoch` rises with each owner, so that an owner that lost the lease cannot commit any more; `checkpoint` is the
    sequence number of the last applied record, empty before the first.
    """

    shard_id = UnicodeAttribute()
    owner = UnicodeAttribute(null=True)
    epoch = NumberAttribute(default=0)
    heartbeat = NumberAttribute(default=0)
    checkpoint = UnicodeAttribute(default="")
    is_done = NumberAttribute(default=0)
