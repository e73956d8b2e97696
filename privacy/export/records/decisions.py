"""What moderators decided about a person, and what the person reported: as they see it, without the names and notes of
staff and without those who reported them."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from moderation.cases.pages.notices import WITHOUT_A_BREACH
from moderation.models import (
    ActionKind,
    Appeal,
    CaseMessage,
    CaseOutcome,
    CaseReport,
    ReportTrace,
    Strike,
)
from privacy.export.fields import (
    MOMENT,
    PERSON,
    TEXT,
    TEXTS,
    Field,
    Record,
    many,
    one_of,
    structure,
)
from privacy.export.kinds import Kind
from privacy.export.owner import Owner, name_people
from privacy.export.records.posts import moment_of
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

MESSAGE = structure(at=MOMENT, by=one_of("you", "moderator"), text=TEXT)

STRIKES = Kind(
    "decisions",
    _("Decisions about you"),
    {
        "id": Field(TEXT, "The id of the decision."),
        "at": Field(MOMENT, "When it was made, in UTC."),
        "action": Field(one_of(*ActionKind), "What was done."),
        "text": Field(TEXT, "What the moderator wrote to you."),
        "until": Field(TEXT, "When it ends, empty if it does not end by itself."),
        "posts": Field(TEXTS, "The ids of the posts it is about."),
        "parts": Field(TEXTS, "The parts of your profile that it removed."),
        "rule": Field(TEXT, "The rule of the site that it names."),
        "undone_at": Field(MOMENT, "When it was taken back, empty if it was not."),
        "appeal": Field(one_of("", *Appeal), "How your appeal stands, empty without one."),
        "conversation": Field(many(MESSAGE), "What you and moderators wrote about it."),
    },
    ((_("When"), "at"), (_("Kind"), "action"), (_("Text"), "text"), (_("Appeal"), "appeal")),
)
REPORTS = Kind(
    "reports",
    _("Your reports"),
    {
        "at": Field(MOMENT, "When you reported it, in UTC."),
        "about": Field(PERSON, "The person it is about, or who wrote the posts."),
        "posts": Field(TEXTS, "The ids of the posts you reported."),
        "rule": Field(TEXT, "The rule of the site that you named."),
        "comment": Field(TEXT, "What you wrote to the moderators."),
        "comments_before": Field(TEXTS, "What you wrote before, if you reported again."),
        "outcome": Field(
            one_of("open", "no rule broken", "closed", "action taken", "action taken back"),
            "What came of it, as far as told.",
        ),
    },
    (
        (_("When"), "at"),
        (_("Person"), "about"),
        (_("Text"), "comment"),
        (_("Outcome"), "outcome"),
    ),
)

Lines = Iterator[tuple[str, Record]]


def strike_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        strike = row(Strike, raw)
        yield (
            STRIKES.name,
            {
                "id": strike.action_id,
                "at": moment_of(strike.action_id),
                "action": strike.kind,
                "text": strike.text,
                "until": strike.until,
                "posts": list(strike.posts or ()),
                "parts": list(strike.parts or ()),
                "rule": strike.rule_id,
                "undone_at": strike.undone_at,
                "appeal": strike.appeal,
                "conversation": list_conversation(strike) if strike.appeal else [],
            },
        )


@access_pattern
def list_conversation(strike: Strike) -> list[Record]:
    """Returns what was written about an appeal against an action, the oldest first. Query of the messages in
    `case#<kind>#<subject>`, 0.5 read units per 4 KB."""
    partition = keys.case_partition(strike.case_kind, strike.subject_id)
    found = (row(CaseMessage, raw) for raw in query(partition, between=keys.message_bounds()))
    return [
        {
            "at": moment_of(one.message_id),
            "by": "moderator" if one.is_staff else "you",
            "text": one.text,
        }
        for one in found
        if one.action_id == strike.action_id
    ]


def report_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    handles = name_people(row(ReportTrace, raw).person_id for raw in raws)
    found = fetch_reports(raws)
    for raw in raws:
        trace = row(ReportTrace, raw)
        report = row(CaseReport, found.get(_report_key(raw), {}))
        yield (
            REPORTS.name,
            {
                "at": trace.reported_at,
                "about": owner.person(trace.person_id, handles),
                "posts": list(report.posts or ()),
                "rule": report.rule_id,
                "comment": report.comment,
                "comments_before": [one.comment for one in report.said_before or () if one.comment],
                "outcome": _outcome(row(CaseOutcome, found.get(_outcome_key(raw), {}))),
            },
        )


@access_pattern
def fetch_reports(traces: Sequence[RawItem]) -> dict[Key, RawItem]:
    """Returns the report and, where there is one, the outcome of each trace. One BatchGetItem per 50 traces, 1 read
    unit each."""
    return fetch([*map(_report_key, traces), *map(_outcome_key, traces)])


def _outcome(outcome: CaseOutcome) -> str:
    if not outcome.decision:
        return "open"
    if outcome.decision in WITHOUT_A_BREACH:
        return "no rule broken"
    if outcome.decision == ActionKind.CLOSE:
        return "closed"
    return "action taken back" if outcome.undone_at else "action taken"


def _report_key(raw: RawItem) -> Key:
    trace = row(ReportTrace, raw)
    return keys.case_report(trace.kind, trace.subject_id, trace.user_id)


def _outcome_key(raw: RawItem) -> Key:
    trace = row(ReportTrace, raw)
    return keys.case_outcome(trace.kind, trace.subject_id, int(trace.round))
