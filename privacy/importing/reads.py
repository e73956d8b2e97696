"""How the files that a person brought stand, and what became of each line."""

from collections import Counter
from dataclasses import dataclass
from itertools import islice

from accounts.people.cards import moment_text
from accounts.people.viewer import Viewer
from privacy.importing.lines import Line, read_lines
from privacy.importing.models import Stage, Transfer, TransferReport
from privacy.importing.outcomes import DID, REMARKS, SENTENCES, TITLES
from socialsite.table import NotFound, access_pattern, as_model, fetch, ids, keys, query, row

MOST_SHOWN = 20  # files
PARTS_A_PAGE = 5


@dataclass(frozen=True, slots=True)
class TransferState:
    """A file as its page shows it. `outcomes` counts what became of its lines."""

    transfer_id: str
    file_kind: str
    stage: str
    parts: int
    total: int
    done: int
    outcomes: Counter[str]
    began_at: str
    until: str

    @property
    def url(self) -> str:
        return f"/settings/import/{self.transfer_id}"

    @property
    def title(self) -> str:
        return str(TITLES.get(self.file_kind, self.file_kind))

    @property
    def file_name(self) -> str:
        return f"{self.file_kind}-{self.began_at[:10]}.csv"

    @property
    def began_text(self) -> str:
        return moment_text(self.began_at)

    @property
    def until_text(self) -> str:
        return moment_text(self.until)

    @property
    def is_working(self) -> bool:
        return self.stage == Stage.WORKING

    @property
    def is_stopped(self) -> bool:
        return self.stage == Stage.STOPPED

    @property
    def percent(self) -> int:
        return 100 * self.done // max(1, self.total)

    @property
    def brought(self) -> int:
        return sum(count for outcome, count in self.outcomes.items() if outcome in DID)

    @property
    def sums(self) -> list[tuple[str, int]]:
        """Returns what became of how many lines, the most first."""
        return [
            (str(SENTENCES.get(outcome, outcome)), n) for outcome, n in self.outcomes.most_common()
        ]


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of the report."""

    line: Line
    handle: str

    @property
    def became(self) -> str:
        said = [SENTENCES.get(self.line.outcome, self.line.outcome)]
        remarks = self.line.remarks if self.line.outcome in DID else ()
        return " ".join(map(str, [*said, *(REMARKS[one] for one in remarks)]))

    @property
    def url(self) -> str:
        post_id = self.line.post_id
        return f"/@{self.handle}/posts/{post_id}" if post_id else ""


def state_of(transfer: Transfer) -> TransferState:
    return TransferState(
        transfer_id=transfer.transfer_id,
        file_kind=transfer.file_kind,
        stage=transfer.stage,
        parts=int(transfer.part_count),
        total=int(transfer.total),
        done=int(transfer.done),
        outcomes=Counter(transfer.outcomes or {}),
        began_at=moment_of(transfer.transfer_id),
        until=transfer.ttl.isoformat(),
    )


def moment_of(transfer_id: str) -> str:
    return ids.time_of(transfer_id).isoformat()


@access_pattern
def list_transfers(by: Viewer) -> list[TransferState]:
    """Returns how the last 20 files that the signed-in person brought stand, the newest first. A consistent Query, 1
    read unit per 4 KB."""
    found = query(keys.transfers(by.user_id), forward=False, limit=MOST_SHOWN, consistent=True)
    return [state_of(as_model(Transfer, raw)) for raw in islice(found, MOST_SHOWN)]


@access_pattern
def get_transfer(by: Viewer, transfer_id: str) -> TransferState:
    """Returns how a file of the signed-in person stands. Raises `NotFound`. A consistent BatchGetItem, 1 read unit."""
    key = keys.transfer(by.user_id, transfer_id)
    found = fetch([key], consistent=True).get(key)
    if found is None:
        raise NotFound("no such file")
    return state_of(as_model(Transfer, found))


@access_pattern
def list_report(by: Viewer, transfer_id: str, *, start: int = 0) -> list[ReportLine]:
    """Returns what became of the lines of five parts of a file, from the part `start` on. BatchGetItem of five keys,
    2.5 read units."""
    numbers = range(start, start + PARTS_A_PAGE)
    wanted = [keys.transfer_report(by.user_id, transfer_id, number) for number in numbers]
    found = fetch(wanted)
    return [
        ReportLine(line, by.handle)
        for key in wanted
        if key in found
        for line in read_lines(row(TransferReport, found[key]).done_lines)
    ]
