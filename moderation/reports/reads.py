"""What members see of moderation: the outcomes of their reports, and decisions about them. And whose reports say less
about how grave a case is: whoever reports without cause again and again weighs less."""

from dataclasses import dataclass
from itertools import islice

from accounts.people.cards import PersonCard, moment_text
from accounts.people.viewer import Viewer
from moderation.cases.action_cards import ActionCard, MessageCard, NamedPack, NamedPost
from moderation.cases.cards import Found, person_of
from moderation.cases.lists import MOST_OF_A_CASE, MOST_STRIKES, first_rows
from moderation.cases.reporters import count_reports
from moderation.cases.words import outcome_text
from moderation.models import WITHOUT_EFFECT, CaseOutcome, CaseReport, ReportTrace, Strike
from socialsite.site_settings.site_rules import rule_of
from socialsite.site_settings.site_setup import ALWAYS_URGENT, MINOR, SERIOUS
from socialsite.table import Key, NotFound, RawItem, access_pattern, fetch, keys, query, row


@access_pattern
def weighed(severity: int, *, rule_id: str, reporter_id: str) -> int:
    """Returns how grave a person's report makes a case. It weighs less the more often they were wrong, and the place in
    the queue follows from it: of reports with the same rule those of reliable people come first.

    The formula, with `u` for the cases on which moderators acted and `r` for those that they dismissed (undone ones
    count as neither): with `r >= 5` and `r >= 9 * u` the report is minor, whatever rule it names; otherwise with
    `r >= 3` and `r > u` an urgent one is serious. Danger, and a sexual picture of a child, stay urgent whoever reports
    them, and what others report in the same case keeps its weight.

    Nothing is read for these, and for what is minor anyway. Otherwise a Query of at most 200 traces of the reporter,
    0.5 read units per 4 KB, and if there are any a BatchGetItem of the outcomes, 0.5 each.
    """
    if severity >= MINOR or rule_id in ALWAYS_URGENT:
        return severity
    record = count_reports(reporter_id)
    if record.is_nearly_always_wrong:
        return MINOR
    return max(severity, SERIOUS) if record.is_mostly_wrong else severity


MOST_OWN_REPORTS = 100


@access_pattern
def list_strikes(user_id: str) -> list[ActionCard]:
    """Returns at most 50 actions about a person, newest first, as the person may see them. Query `u#<id>#strike`, 0.5
    read units per 4 KB."""
    rows = query(keys.strikes(user_id), forward=False, limit=MOST_STRIKES)
    return [ActionCard.from_strike(raw) for raw in islice(rows, MOST_STRIKES)]


@access_pattern
def get_strike(user_id: str, action_id: str) -> ActionCard:
    """Returns one action, with the conversation about it and its posts and starter packs as they are now. GetItem and
    one Query of the case's messages, consistent, then one BatchGetItem if there are any. In all 2 read units, and 0.5
    for each. Raises `NotFound`."""
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
        raw, tuple(m for m in messages if m.action_id == action_id), *_named(user_id, strike)
    )


def _named(user_id: str, strike: Strike) -> tuple[tuple[NamedPost, ...], tuple[NamedPack, ...]]:
    posts = {post_id: keys.post(user_id, post_id) for post_id in strike.posts}
    packs = {list_id: keys.person_list(user_id, list_id) for list_id in strike.packs}
    found = fetch([*posts.values(), *packs.values()]) if posts or packs else {}
    return (
        tuple(NamedPost.from_raw(post_id, found.get(key)) for post_id, key in posts.items()),
        tuple(NamedPack.from_raw(list_id, found.get(key)) for list_id, key in packs.items()),
    )


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report as its reporter sees it. `outcome` is the action that ended it, empty while it is open; `is_undone` says
    that the action was taken back. `posts` is the number of reported posts, `messages` that of private messages, both 0
    if it was about the person."""

    person: PersonCard | None
    iso: str
    outcome: str
    is_undone: bool = False
    posts: int = 0
    messages: int = 0
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
        messages=int(report.messages or 0),
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
