"""What must always hold for the counts of what waits."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from moderation.models import Case, Queue, WaitingCount
from moderation.staff.recount import COUNT, EVERYTHING
from moderation.staff.waiting import MOST_COUNTED
from socialsite.models import Due, Staff
from socialsite.table.item import Item


@dataclass
class WaitingInvariants:
    """The open cases by place, the counts, and the places that the clock will count again."""

    opened: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    counts: dict[str, WaitingCount] = field(default_factory=dict)
    planned: set[str] = field(default_factory=set)
    staff: set[str] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case Case() if item.escalated_to:
                place = item.assigned_to or item.queue
                self.opened.setdefault(place, []).append(item.opened_at)
                self.kinds.setdefault(place, Counter())[item.kind] += 1
            case WaitingCount():
                self.counts[item.place] = item
            case Due() if item.kind == COUNT:
                self.planned.add(item.subject)
            case Staff():
                self.staff.add(item.user_id)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of the invariant. Nothing is wrong before the queues are counted for the first time,
        because pages then count themselves."""
        rule = "queues and desks are counted as their cases are, where no count is planned"
        is_counted = self.counts.keys() >= set(Queue) and EVERYTHING not in self.planned
        return {rule: sorted(self._wrong()) if is_counted else []}

    def _wrong(self) -> Iterator[str]:
        for place in (self.counts.keys() | self.opened.keys() | self.staff) - self.planned:
            opened, count = sorted(self.opened.get(place, ())), self.counts.get(place)
            if count is None:
                yield f"{place}: {len(opened)} cases and no count"
                continue
            found = int(count.cases), count.has_more, count.oldest or ""
            right = (
                min(len(opened), MOST_COUNTED),
                len(opened) > MOST_COUNTED,
                opened[0] if opened else "",
            )
            if found != right:
                yield f"{place}: {found}, {right} counted"
            kinds = self.kinds.get(place, Counter())
            if not count.has_more and count.kinds != kinds:
                yield f"{place}: {count.kinds}, {dict(kinds)} counted"
            if not opened and place not in {*Queue, *self.staff}:
                yield f"{place}: counted for nobody"
