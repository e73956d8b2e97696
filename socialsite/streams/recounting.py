"""Setting a count right on a live site, whose worker may not have applied all changes yet."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from socialsite.keys.key import Key
from socialsite.streams.change import Change, read_change, type_of
from socialsite.streams.models import Lease
from socialsite.streams.shards import Stream
from socialsite.table import Item, NotFound, as_model, change, fetch, get, keys
from socialsite.table.connection import table_name


class Unapplied:
    """The changes after the checkpoints at the time it was created. Reads leases consistently, 1 read unit a shard."""

    def __init__(self) -> None:
        self.stream = _stream(table_name())
        self.checkpoints = self._read_checkpoints()

    def changes(self, model: type[Item]) -> Iterator[Change]:
        """Yields all changes of items of this type that no counter includes yet."""
        for shard_id, checkpoint in self.checkpoints.items():
            for record in self.stream.records_behind(shard_id, checkpoint):
                if type_of(record) == model.__name__ and (change := read_change(record)):
                    yield change

    def still_holds(self) -> bool:
        """Whether no worker has committed anything since."""
        return self._read_checkpoints() == self.checkpoints

    def _read_checkpoints(self) -> dict[str, str]:
        """Returns the checkpoint of every shard that is not read to its end, empty if nobody has committed yet."""
        shard_ids = [shard.shard_id for shard in self.stream.shards()]
        found = fetch(map(keys.lease, shard_ids), consistent=True)
        leases = {key: as_model(Lease, raw) for key, raw in found.items()}
        places = {one: leases.get(keys.lease(one)) for one in shard_ids}
        return {
            one: lease.checkpoint if lease else ""
            for one, lease in places.items()
            if lease is None or not lease.is_done
        }


@lru_cache(2)
def _stream(table: str) -> Stream:
    return Stream()


LOOKS = 5


def mend_count(
    model: type[Item],
    key: Key,
    name: str,
    *,
    count: Callable[[], int],
    waiting: Callable[[Unapplied], int],
) -> Iterator[str]:
    """Sets a count to what `count` finds, without changes that the worker has not counted yet. Yields a line if it was
    wrong.

    One consistent GetItem and the cost of `count`. Only if they differ, all of it again with the stream behind the
    checkpoints. A count that changes faster than this can read stays as it is. `count` may raise `NotFound`.
    """
    attribute = getattr(model, name)

    def stored_now() -> int:
        return int(getattr(get(model, key, consistent=True), name) or 0)

    try:
        if stored_now() == count():
            return
        for _ in range(LOOKS):
            unapplied = Unapplied()
            stored, counted = stored_now(), count()
            right = counted - waiting(unapplied)
            # Counts again, because new items may be where the first count could not look yet.
            if counted != count() or not unapplied.still_holds():
                continue
            if stored == right:
                return
            same = attribute == stored
            if not stored:  # items older than the count have none
                same = same | attribute.does_not_exist()
            if _set(model, key, [attribute.set(right)], same):
                yield f"{key.pk} {name}: {stored} → {right}"
                return
    except NotFound:  # what is counted is gone
        return


def _set(model: type[Item], key: Key, actions: list[Action], condition: Condition) -> bool:
    try:
        change(model, key, actions, condition=condition)
    except NotFound:  # it changed meanwhile: look again
        return False
    return True
