"""What must hold for the records of reporters once the stream worker has caught up, and how older data get theirs."""

from collections import Counter
from dataclasses import dataclass, field

from accounts.models import UserInfo
from moderation.cases.reporters import EFFECTIVE, MOST_COUNTED, Record
from moderation.models import ActionKind, CaseOutcome, ReporterRecord, ReportTrace
from socialsite.invariants import must_hold
from socialsite.table import Item, Key, keys


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
            case ReporterRecord():
                counts = int(item.upheld), int(item.rejected), int(item.waiting)
                self.records[item.user_id] = Record(*counts)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of the invariant. Left out are people with more cases than are counted, and with some
        that expire: TTL deletes the parts of a case one after the other."""
        wrong = []
        for user_id in self.people:
            traces = self.traces.get(user_id, [])
            if len(traces) > MOST_COUNTED or any(trace.ttl for trace in traces):
                continue
            if (found := self.records.get(user_id, Record())) != (right := self._right(traces)):
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
