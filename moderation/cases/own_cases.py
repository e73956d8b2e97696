"""What members see of moderation: the outcomes of their reports, and decisions about them."""

from dataclasses import dataclass
from itertools import islice

from accounts.cards import PersonCard, moment_text
from accounts.viewer import Viewer
from moderation.cases.access_patterns import MOST_OF_A_CASE, MOST_STRIKES, first_rows
from moderation.cases.pages.action_cards import ActionCard, MessageCard, NamedPost
from moderation.cases.pages.cards import Found, person_of
from moderation.cases.pages.notices import outcome_text
from moderation.models import WITHOUT_EFFECT, CaseOutcome, CaseReport, ReportTrace, Strike
from socialsite.site.site_rules import rule_of
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

MOST_OWN_REPORTS = 100


@access_pattern
def list_strikes(user_id: str) -> list[ActionCard]:
    """Returns at most 50 actions about a person, newest first, as the person may see them. Query `u#<id>#strike`, 0.5
    read units per 4 KB."""
    rows = query(keys.strikes(user_id), forward=False, limit=MOST_STRIKES)
    return [ActionCard.from_strike(raw) for raw in islice(rows, MOST_STRIKES)]


@access_pattern
def get_strike(user_id: str, action_id: str) -> ActionCard:
    """Returns one action, with the conversation about it and its posts as they are now. GetItem and one Query of the
    case's messages, consistent, then one BatchGetItem if there are posts. Raises `NotFound`."""
    raw = fetch([keys.strike(user_id, action_id)], consistent=True).get(
        keys.strike(user_id, action_id)
    )
    if raw is None:
        raise NotFound("no such strike")
    strike = row(Strike, raw)
    case = keys.case_partition(strike.case_kind, strike.subject_id)
    rows = first_rows(case, keys.message_bounds(), MOST_OF_A_CASE)
    messages = [MessageCard.from_raw(one, {}) for one in rows]
    return ActionCard.from_strike(
        raw, tuple(m for m in messages if m.action_id == action_id), _named_posts(user_id, raw)
    )


def _named_posts(user_id: str, raw: RawItem) -> tuple[NamedPost, ...]:
    named = {post_id: keys.post(user_id, post_id) for post_id in row(Strike, raw).posts}
    found = fetch(named.values()) if named else {}
    return tuple(NamedPost.from_raw(post_id, found.get(key)) for post_id, key in named.items())


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report as its reporter sees it. `outcome` is the action that ended it, empty while it is open; `is_undone` says
    that the action was taken back. `posts` is the number of reported posts, 0 if it was about the person."""

    person: PersonCard | None
    iso: str
    outcome: str
    is_undone: bool = False
    posts: int = 0
    rule_id: str = ""
    comment: str = ""
    comments_before: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        return not self.outcome

    @property
    def changed_nothing(self) -> bool:
        return self.outcome in WITHOUT_EFFECT or self.is_undone

    @property
    def outcome_text(self) -> str:
        return outcome_text(self.outcome, is_undone=self.is_undone)

    @property
    def when(self) -> str:
        return moment_text(self.iso)

    @property
    def reason(self) -> str:
        return rule_of(self.rule_id).reason


@access_pattern
def list_own_reports(viewer: Viewer) -> list[OwnReport]:
    """Returns at most 100 of someone's reports, newest first, with their outcomes. Query `u#<id>#report`, then
    BatchGetItem of report, outcome and person of each, 100 keys a call: 0.5 + 1.5 read units each."""
    rows = list(
        islice(query(keys.report_traces(viewer.user_id), limit=MOST_OWN_REPORTS), MOST_OWN_REPORTS)
    )
    people = [keys.user_info(row(ReportTrace, raw).person_id) for raw in rows]
    found = fetch([*map(_outcome_key, rows), *map(_report_key, rows), *people])
    cards = [_own_report(raw, found) for raw in rows]
    return sorted(cards, key=lambda card: card.iso, reverse=True)


def _own_report(raw: RawItem, found: Found) -> OwnReport:
    trace = row(ReportTrace, raw)
    report = row(CaseReport, found.get(_report_key(raw), {}))
    outcome = row(CaseOutcome, found.get(_outcome_key(raw), {}))
    return OwnReport(
        person=person_of(trace.person_id, found),
        iso=trace.reported_at,
        outcome=outcome.decision,
        is_undone=bool(outcome.undone_at),
        posts=len(report.posts),
        rule_id=report.rule_id,
        comment=report.comment,
        comments_before=tuple(one.comment for one in report.said_before or () if one.comment),
    )


def _report_key(raw: RawItem) -> Key:
    trace = row(ReportTrace, raw)
    return keys.case_report(trace.kind, trace.subject_id, trace.user_id)


def _outcome_key(raw: RawItem) -> Key:
    trace = row(ReportTrace, raw)
    return keys.case_outcome(trace.kind, trace.subject_id, int(trace.round))
