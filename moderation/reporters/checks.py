"""What must hold for the records of reporters once the stream worker has caught up, and how older data get theirs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from accounts.models import UserInfo
from moderation.cases.reporters import EFFECTIVE, MOST_COUNTED, Record
from moderation.models import ActionKind, CaseOutcome, ReporterRecord, ReportTrace
from moderation.reporters.writes import count_again
from socialsite.invariants import must_hold
from socialsite.table import Item, Key, RawItem, keys, row


@must_hold
@dataclass
class ReporterInvariants:
    """Give it every item with `add`, then ask for `results`."""

    people: set[str] = field(default_factory=set)
    traces: dict[str, list[ReportTrace]] = field(default_factory=dict)
    outcomes: dict[Key, CaseOutcome] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case UserInfo():
                self.people.add(item.user_id)
            case ReportTrace():
                self.traces.setdefault(item.user_id, []).append(item)
            case CaseOutcome():
                self.outcomes[item.key] = item
            case ReporterRecord() if item.counted:
                counts = int(item.upheld), int(item.rejected), int(item.waiting)
                self.records[item.user_id] = Record(*counts)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of the invariant. Left out are people with more cases than are counted, with some that
        expire, as TTL deletes the parts of a case one after the other, and who reported before there were records."""
        wrong = []
        for user_id in self.people & self.records.keys():
            traces = self.traces.get(user_id, [])
            if len(traces) > MOST_COUNTED or any(trace.ttl for trace in traces):
                continue
            if (found := self.records[user_id]) != (right := self._right(traces)):
                wrong.append(f"{user_id}: {found}, {right} counted")
        return {"reporters' records say what became of their reports": sorted(wrong)}

    def _right(self, traces: list[ReportTrace]) -> Record:
        said: Counter[str] = Counter()
        for trace in traces:
            key = keys.case_outcome(trace.kind, trace.subject_id, int(trace.round))
            outcome = self.outcomes.get(key)
            if outcome is None:
                said["waiting"] += 1
            elif not outcome.undone_at:
                said["rejected"] += outcome.decision == ActionKind.DISMISS
                said["upheld"] += outcome.decision in EFFECTIVE
        return Record(**said)


def mend_records(traces: Iterable[RawItem]) -> None:
    """Counts what became of the reports of everyone who has one of these traces. Safe to repeat. As `count_again` for
    each."""
    for user_id in sorted({row(ReportTrace, raw).user_id for raw in traces}):
        count_again(user_id)
