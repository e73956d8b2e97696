"""Wraps people's keys with the current master key, so that earlier master keys can be destroyed."""

from collections.abc import Iterator

from accounts.encryption.masters import Master, context_of, master_of, rewrapped
from accounts.models import PersonKey
from socialsite.table import keys
from socialsite.table.as_read import Moved
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, query
from socialsite.table.writing import change


@access_pattern
def list_person_keys(shard: int) -> Iterator[PersonKey]:
    """Yields all keys of people in one of the 16 partitions. One Query, consistent: 1 read unit for about 20 keys."""
    for raw in query(keys.person_keys(shard), consistent=True):
        yield as_model(PersonKey, raw)


@access_pattern
def rewrap(stored: PersonKey, *, master: Master) -> bool:
    """Wraps a key with this master key; False if that was done before, also if the key was erased meanwhile.

    One UpdateItem on the condition that the wrapped key is as it was read, 1 write unit. A call or two of
    KMS, if it has one of the keys. Raises
    `cryptography.exceptions.InvalidTag` if no master key of the settings fits.
    """
    if stored.master == master.id:
        return False
    context = context_of(stored.user_id)
    earlier = master_of(stored.master)
    wrapped = rewrapped(stored.wrapped, context, earlier=earlier, master=master)
    actions = [PersonKey.wrapped.set(wrapped), PersonKey.master.set(master.id)]
    as_read = PersonKey.wrapped == stored.wrapped
    try:
        change(PersonKey, stored.key, actions, condition=as_read, otherwise=Moved)
    except Moved:
        return False
    return True
