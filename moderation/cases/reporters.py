"""What became of someone's reports, and whether staff mute them."""

from dataclasses import dataclass
from itertools import islice
from typing import Self

from django.utils.translation import gettext, ngettext

from accounts.people.cards import end_text
from accounts.people.restrictions import end_of
from moderation.models import WITHOUT_EFFECT, ActionKind, CaseOutcome, ReporterRecord, ReportTrace
from socialsite.table import RawItem, fetch, keys, query, row

EFFECTIVE = {*ActionKind} - WITHOUT_EFFECT
MOST_COUNTED = 200  # cases of theirs
OFTEN, MANY = 3, 5
TIMES = 9  # as often rejected as upheld


@dataclass(frozen=True, slots=True)
class Record:
    """How many of someone's reports moderators acted on, dismissed, and have not answered."""

    upheld: int = 0
    rejected: int = 0
    waiting: int = 0

    @property
    def is_mostly_wrong(self) -> bool:
        """Whether moderators dismissed their reports at least three times, and more often than they acted on one."""
        return self.rejected >= OFTEN and self.rejected > self.upheld

    @property
    def is_nearly_always_wrong(self) -> bool:
        """Whether moderators dismissed their reports at least five times, and at least nine times as often as they
        acted on one."""
        return self.rejected >= MANY and self.rejected >= TIMES * self.upheld


def count_reports(user_id: str, *, consistent: bool = False) -> Record:
    """Returns what became of the cases to which someone reported, as it is now: of each case what their last round
    ended with. What was undone, closed without a word, or is gone counts as neither. At most 200 cases.

    A Query of their traces, 0.5 read units per 4 KB, and if there are any a BatchGetItem of the outcomes, 0.5 each;
    twice that if `consistent`.
    """
    rows = query(
        keys.report_traces(user_id), forward=False, consistent=consistent, limit=MOST_COUNTED
    )
    traces = [row(ReportTrace, raw) for raw in islice(rows, MOST_COUNTED)]
    wanted = [keys.case_outcome(one.kind, one.subject_id, int(one.round)) for one in traces]
    found = fetch(wanted, consistent=consistent) if wanted else {}
    ended = [row(CaseOutcome, raw) for raw in found.values()]
    standing = [one.decision for one in ended if not one.undone_at]
    return Record(
        upheld=sum(one in EFFECTIVE for one in standing),
        rejected=standing.count(ActionKind.DISMISS),
        waiting=len(wanted) - len(ended),
    )


@dataclass(frozen=True, slots=True)
class ReporterCard:
    """What staff see beside a report, as the worker counted it. `muted_until` is empty for someone who is heard."""

    record: Record
    muted_until: str = ""

    @classmethod
    def from_raw(cls, raw: RawItem | None) -> Self:
        stored = row(ReporterRecord, raw or {})
        counts = int(stored.upheld), int(stored.rejected), int(stored.waiting)
        return cls(Record(*counts), end_of(stored.muted_until or ""))

    @property
    def text(self) -> str:
        """Returns the numbers in words, without those that are 0."""
        record = self.record
        parts = [
            (ngettext("%(n)d upheld", "%(n)d upheld", record.upheld), record.upheld),
            (ngettext("%(n)d rejected", "%(n)d rejected", record.rejected), record.rejected),
            (ngettext("%(n)d open", "%(n)d open", record.waiting), record.waiting),
        ]
        said = ", ".join(text % {"n": number} for text, number in parts if number)
        return said or gettext("No report of theirs was decided yet")

    @property
    def says(self) -> bool:
        """Whether there is anything to say beside a report."""
        record = self.record
        return bool(self.muted_until or record.upheld or record.rejected or record.waiting)

    @property
    def muted_text(self) -> str:
        if not self.muted_until:
            return ""
        return gettext("Muted until %(end)s") % {"end": end_text(self.muted_until)}


def get_reporter(user_id: str) -> ReporterCard:
    """Returns what staff see of a reporter. One BatchGetItem, 0.5 read units."""
    key = keys.reporter_record(user_id)
    return ReporterCard.from_raw(fetch([key]).get(key))


def is_muted(raw: RawItem | None) -> bool:
    """Whether staff mute the reports of the person of this raw record now."""
    return bool(ReporterCard.from_raw(raw).muted_until)
