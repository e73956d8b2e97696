"""What people see of moderation: what became of their reports, and what they were told themselves."""

from dataclasses import dataclass
from itertools import islice

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from moderation.access_patterns import MOST_OF_A_CASE, MOST_STRIKES, some_of
from moderation.action_cards import ActionCard, MessageCard
from moderation.cards import person_of
from moderation.models import CaseOutcome, ReportTrace, Strike
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query

MOST_OWN_REPORTS = 100


@access_pattern
def list_strikes(user_id: str) -> list[ActionCard]:
    """What moderators did about a person, newest first, as the person may see it: Query `u#<id>#strike`, at most 50,
    0.5 read units per 4 KB."""
    rows = query(keys.strikes(user_id), forward=False, limit=MOST_STRIKES)
    return [ActionCard.from_strike(raw) for raw in islice(rows, MOST_STRIKES)]


@access_pattern
def get_strike(user_id: str, action_id: str) -> ActionCard:
    """One of them, with the conversation about it: GetItem, then one Query of the case's messages. Raises
    `NotFound`."""
    raw = fetch([keys.strike(user_id, action_id)], consistent=True).get(
        keys.strike(user_id, action_id)
    )
    if raw is None:
        raise NotFound("no such strike")
    case = keys.case_partition(
        reading.text(raw, Strike.case_kind), reading.text(raw, Strike.subject_id)
    )
    rows = some_of(case, keys.message_bounds(), MOST_OF_A_CASE)
    messages = [MessageCard.from_raw(row, {}) for row in rows]
    return ActionCard.from_strike(raw, tuple(m for m in messages if m.action_id == action_id))


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report as its reporter sees it: `outcome` is the action that ended it, empty while it is open."""

    person: PersonCard | None
    iso: str
    outcome: str

    @property
    def is_open(self) -> bool:
        return not self.outcome


@access_pattern
def list_own_reports(viewer: Viewer) -> list[OwnReport]:
    """What somebody reported, newest first, and what became of it: Query `u#<id>#report`, at most 100, then one or two
    BatchGetItems of outcomes and people."""
    rows = list(
        islice(query(keys.report_traces(viewer.user_id), limit=MOST_OWN_REPORTS), MOST_OWN_REPORTS)
    )
    people = [keys.user_info(reading.text(raw, ReportTrace.person_id)) for raw in rows]
    found = fetch([*map(_outcome_key, rows), *people])
    cards = [
        OwnReport(
            person=person_of(reading.text(raw, ReportTrace.person_id), found),
            iso=reading.text(raw, ReportTrace.reported_at),
            outcome=reading.text(found.get(_outcome_key(raw), {}), CaseOutcome.decision),
        )
        for raw in rows
    ]
    return sorted(cards, key=lambda card: card.iso, reverse=True)


def _outcome_key(raw: RawItem) -> Key:
    return keys.case_outcome(
        reading.text(raw, ReportTrace.kind),
        reading.text(raw, ReportTrace.subject_id),
        reading.number(raw, ReportTrace.round),
    )
