"""Corrects a count that the worker keeps, while people use the site and the worker counts."""

from collections.abc import Callable, Iterator

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from socialsite.streams.unapplied import Unapplied
from socialsite.table.errors import NotFound
from socialsite.table.item import Item
from socialsite.table.keys import Key
from socialsite.table.reading import get
from socialsite.table.writing import change

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
