"""Counts sign-ups, reports, actions, closed cases and posts that met a word filter by day, through the ledger, which
counts each once; has what waits counted again after a change; and tells members of staff of appeals, of cases assigned
to them, and of cases that wait long (over a day, urgent ones over an hour, and once a day by letter). The clock counts
and tells."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail.letters import Facts, Letter, Recipient, letter
from accounts.models import UserInfo, UserSettings
from accounts.permissions import Permission, list_staff, permissions_of_role
from feed.posts.models import Post
from moderation.cases.reads import THE_SITE, CaseId, id_of, read_case, waits_in
from moderation.cases.rounds import SUSPENDING
from moderation.cases.writes import TELL_OF_APPEAL
from moderation.models import (
    ActionKind,
    Appeal,
    AuditEntry,
    Case,
    CaseAction,
    CaseKind,
    CaseReport,
    DayCount,
    Strike,
)
from moderation.notices import APPEALED, CASES_WAIT, PASSED, WAITING
from moderation.staff.overview import (
    ACTIONS,
    ANSWERED,
    CLOSED,
    KEPT_DAYS,
    REPORTS,
    SIGN_UPS,
    day_of,
    step_of,
)
from moderation.staff.waiting import COUNT, count_place, plan_counts
from moderation.staff.waiting_too_long import (
    MOST_TOLD,
    TELL,
    WAITS,
    LateCase,
    late_at,
    list_late,
    name_of,
    planned_look,
    staff_for,
    tell_staff,
    telling,
)
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import cancel, done, due_work, plan
from socialsite.models import Staff
from socialsite.site_settings.site_setup import OTHER
from socialsite.streams import Change, Ledger, on, own_part
from socialsite.table import (
    AlreadyExists,
    Item,
    NotFound,
    Put,
    WriteAction,
    access_pattern,
    as_model,
    create,
    fetch,
    ids,
    keys,
    query,
    reading,
    row,
    transact,
    write_batch,
)
from socialsite.telling import Cause, Telling, tell

GONE = "gone"  # the decision of a case that closed by itself


@on(UserInfo, "INSERT")
def count_sign_up(change: Change, ledger: Ledger) -> None:
    """Counts a new sign-up: 1 write unit to make sure that the day's count is there, and 2 with the batch's sums. Safe
    to run twice: the day's count is created once, and the ledger adds to it."""
    info = change.item
    assert isinstance(info, UserInfo)
    _count(ledger, day_of(ids.time_of(info.user_id)), [SIGN_UPS])


@on(CaseReport, "INSERT", "MODIFY")
def count_report(change: Change, ledger: Ledger) -> None:
    """Counts someone's first report in a round of the case. As `count_sign_up`. Posts that join their report do not
    count, and neither does a report that loses its reporter. Safe to run twice, as above."""
    report, old = change.item, change.old
    assert isinstance(report, CaseReport)
    if report.erased or (isinstance(old, CaseReport) and old.round == report.round):
        return
    at = datetime.fromisoformat(report.reported_at)
    name = f"{REPORTS}{report.rule_id or OTHER}"
    _count(ledger, day_of(at), [name], part=own_part(keys.COUNT_PARTS))


@on(CaseAction, "INSERT")
def count_action(change: Change, ledger: Ledger) -> None:
    """Counts a moderator's action. As `count_sign_up`. Closing a case is counted as such, and is none. Safe to run
    twice, as above."""
    action = change.item
    assert isinstance(action, CaseAction)
    if action.kind == ActionKind.CLOSE:
        return
    _count(ledger, day_of(ids.time_of(action.action_id)), [f"{ACTIONS}{action.kind}"])


@on(Case, "MODIFY")
def count_closed_case(change: Change, ledger: Ledger) -> None:
    """Counts a closed case, with how long the first answer and the closing took. Takes it off again if an undo reopens
    the case.

    As `count_sign_up` twice, and one Query of one item, 1 read unit. Safe to run twice: the case's earlier actions no
    longer change.
    """
    old, new = change.old, change.new
    assert isinstance(old, Case)
    assert isinstance(new, Case)
    if old.escalated_to and not new.escalated_to and new.decision != GONE:
        _count(ledger, *_closing(new))
    elif _is_reopened(old, new) and old.decision != GONE:
        _count(ledger, *_closing(old), times=-1)


def _is_reopened(old: Case, new: Case) -> bool:
    return bool(new.escalated_to and not old.escalated_to and new.opened_at == old.opened_at)


def _closing(case: Case) -> tuple[str, list[str]]:
    opened, closed = datetime.fromisoformat(case.opened_at), datetime.fromisoformat(case.closed_at)
    answered = _first_action(case, opened, closed) or closed
    names = [f"{ANSWERED}{step_of(opened, answered)}", f"{CLOSED}{step_of(opened, closed)}"]
    return day_of(closed), names


def _first_action(case: Case, opened: datetime, closed: datetime) -> datetime | None:
    low, high = (
        keys.case_action(case.kind, case.subject_id, ids.first_id_at(moment))
        for moment in (opened, closed + timedelta(milliseconds=1))
    )
    rows = query(low.pk, between=(low.sk, high.sk), limit=1, consistent=True)
    actions = (row(CaseAction, raw) for raw in rows)
    answers = (action for action in actions if action.moderator_id != THE_SITE)
    first = next(answers, None)
    return ids.time_of(first.action_id) if first else None


def _count(
    ledger: Ledger, day: str, names: Iterable[str], *, times: int = 1, part: int | None = None
) -> None:
    counters = [DayCount.new(day=day, name=name, part=part) for name in names]
    for counter in counters:
        with suppress(AlreadyExists):
            create(counter)
    # Nothing may fail between the entries: a retry would make the first one twice.
    for counter in counters:
        ledger.add(DayCount, counter.key, DayCount.times, times, if_gone=_nothing)


def _nothing() -> None:
    """Does nothing, because day counts are never deleted."""


@on(Post, "INSERT", "MODIFY")
def count_word_hits(change: Change, ledger: Ledger) -> None:
    """Counts the word filters that a new post met, or that an edit met and the text before did not. A post that is
    refused is never written, so nobody counts it. Safe to run twice: the counts of a day are created once, and the
    ledger adds to them."""
    post, old = change.item, change.old
    assert isinstance(post, Post)
    before = str(old.flagged or "").split() if isinstance(old, Post) else []
    met = [rule_id for rule_id in str(post.flagged or "").split() if rule_id not in before]
    if not met:
        return
    day, end = day_of(change.moment), change.moment + timedelta(days=KEPT_DAYS)
    part = own_part(keys.COUNT_PARTS)  # a raid brings very many at once
    counts = [DayCount.of_word(rule_id=one, day=day, ttl=end, part=part) for one in met]
    for count in counts:
        with suppress(AlreadyExists):
            create(count)
    # Nothing may fail between the entries: a retry would make the first one twice.
    for count in counts:
        ledger.add(DayCount, count.key, DayCount.times, 1, if_gone=_gone_by_ttl)


def _gone_by_ttl() -> None:
    """Does nothing: the counts of a day go by TTL, long after its posts were counted."""


due_work(COUNT)(count_place)


@on(Case, "INSERT", "MODIFY", "REMOVE")
def count_after_case(change: Change, ledger: Ledger) -> None:
    """Plans a new count of the places of an open case that is counted otherwise than before. Safe to run twice: the
    same is planned, and what is there is counted."""
    was, now = _counted(change.old), _counted(change.new)
    if was == now:
        return
    ledger.note_effect()
    plan_counts({seen[0] for seen in (was, now) if seen}, change.moment)


@on(Staff, "INSERT", "REMOVE")
def count_after_role(change: Change, ledger: Ledger) -> None:
    """Plans a new count of the desk of someone who joins or leaves the staff. Safe to run twice, as above."""
    staff = change.item
    assert isinstance(staff, Staff)
    ledger.note_effect()
    plan_counts({staff.user_id}, change.moment)


def _counted(item: Item | None) -> tuple[str, str, str, int] | None:
    """Returns where an open case is counted and as what, None for a closed one."""
    if not isinstance(item, Case) or not item.escalated_to:
        return None
    return item.assigned_to or waits_in(item), item.kind, item.opened_at, int(item.appeals or 0)


@due_work(TELL_OF_APPEAL)
@access_pattern
def tell_of_appeal(due: Due) -> None:
    """Plans to tell those of the staff who may answer an appeal, in the transaction that ends the due item. Where
    nobody else may answer and wants to be told, the moderator who decided hears of it. Nothing if the appeal was
    answered meanwhile.

    Three consistent GetItems, 3 read units, and `staff_for`; 2 write units, and 2 for each who is told.
    """
    case_id = CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_of"])
    action_id = due.facts["action"]
    with suppress(NotFound):
        case = read_case(case_id)
        strike = reading.get(Strike, keys.strike(case.person_id, action_id), consistent=True)
        if strike.appeal != Appeal.OPEN:
            return
        key = keys.case_action(case.kind, case.subject_id, action_id)
        decided = reading.get(CaseAction, key, consistent=True)
        also = [Permission.SUSPEND] if decided.kind in SUSPENDING else []
        others = staff_for(case, besides=[decided.moderator_id], also=also)
        tellings = [
            telling(user_id, APPEALED, case, about=f"{case_id} {action_id}")
            for user_id in others or staff_for(case, also=also)
        ]
        transact(*tellings, done(due))


@on(AuditEntry, "INSERT")
def notify_of_passed(change: Change, ledger: Ledger) -> None:
    """Tells the person that the log names, unless they took the case themselves. All new ones are one line. A case that
    was assigned twice counts once: the notification names it by a hash, as it may hold nobody's id."""
    entry = change.item
    assert isinstance(entry, AuditEntry)
    to = (entry.detail or {}).get("to", "")
    if entry.action != "assign" or not to or to == entry.moderator_id:
        return
    kind, _, subject_id = str(entry.case).rpartition("-")
    case_id = CaseId(CaseKind(kind), subject_id)
    stands_for = hashlib.sha256(str(case_id).encode()).hexdigest()[:10]
    tell(to, PASSED, Cause(stands_for, case_id.key)).enter(ledger)


@letter(CASES_WAIT)
def cases_waiting(to: Recipient, facts: Facts) -> Letter:
    """Says how many cases wait long, and how many of them are urgent. It names nobody."""
    waiting, urgent = int(facts["waiting"]), int(facts["urgent"])
    said = [
        ngettext(
            "%(n)d case has been open for more than a day, or for more than an hour although it’s urgent.",
            "%(n)d cases have been open for more than a day, or for more than an hour although they’re urgent.",
            waiting,
        )
        % {"n": waiting}
    ]
    if urgent:
        text = ngettext("%(n)d of them is urgent.", "%(n)d of them are urgent.", urgent)
        said.append(text % {"n": urgent})
    subject = ngettext(
        "%(n)d case is waiting for a decision", "%(n)d cases are waiting for a decision", waiting
    )
    return Letter(
        subject % {"n": waiting},
        tuple(said),
        button=_("Open the queue"),
        path="/moderation/queue",
        after=(
            _(
                "This letter comes at most once a day, while cases wait. You can turn it off in the settings of your "
                "notifications."
            ),
        ),
    )


LETTERS = CASES_WAIT.name  # the kind of due work that posts them
EVERYONE = "staff"
HOUR = 6  # of the day, in UTC
MINE = "mine"

due_work(TELL)(tell_staff)


@on(Case, "INSERT", "MODIFY")
def plan_notice_of_waiting(change: Change, ledger: Ledger) -> None:
    """Plans a look at an open case for the moment when it will have waited too long, and takes back the look that was
    planned for it before. A case that had waited too long before it became more or less grave keeps its look. Safe to
    run twice: the same is planned and taken back."""
    case = change.item
    assert isinstance(case, Case)
    was, is_late = _late_at(change.old), _late_at(change.new)
    if was == is_late or (was and is_late and max(was, is_late) <= change.moment):
        return
    ledger.note_effect()
    subject = str(id_of(case))
    write_batch(
        puts=[planned_look(case, is_late).item] if is_late else [],
        deletes=[cancel(WAITS, moment=was, subject=subject).key] if was else [],
    )


@due_work(WAITS)
@access_pattern
def tell_of_waiting(due: Due) -> None:
    """Plans to tell of a case that has waited too long the moderator on whose desk it lies, otherwise everyone who may
    decide it, and a letter for the morning, in the transaction that ends the due item. Nothing if the case was decided,
    or waits anew.

    A consistent BatchGetItem, 1 read unit, and `staff_for`; 4 write units, and 2 for each who is told.
    """
    key = CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_of"]).key
    raw = fetch([key], consistent=True).get(key)
    case = as_model(Case, raw) if raw else None
    late = late_at(case) if case else None
    if case is None or late is None or late > datetime.fromisoformat(due.moment):
        return
    told = [case.assigned_to] if case.assigned_to else staff_for(case)
    tab = MINE if case.assigned_to else waits_in(case)
    tellings = [telling(one, WAITING, case, about=name_of(case), tab=tab) for one in told]
    transact(*tellings, _letters_after(max(late, utc_now())), done(due))


@due_work(LETTERS)
@access_pattern
def write_to_staff(due: Due) -> None:
    """Posts a letter to everyone on the staff for whom cases wait long, unless they switched it off, and plans the next
    morning, in the transaction that ends the due item. When no case waits long, the letters end: the next case that
    does plans them again.

    `list_late`, `list_staff`, and one BatchGetItem of their settings, 0.5 read units each; 4 write units, and 2 for
    each letter.
    """
    morning = datetime.fromisoformat(due.facts["morning"])
    late = list_late(morning)
    if late:
        later = _letters_after(max(morning, utc_now()))
        transact(*_letters(late, due.facts["morning"]), later, done(due))


def _letters(late: list[LateCase], event: str) -> list[WriteAction]:
    staff = list_staff()[:MOST_TOLD]
    settings = fetch(keys.user_settings(one.user_id) for one in staff)
    letters_of_today = Telling()
    for one in staff:
        kept = row(UserSettings, settings.get(keys.user_settings(one.user_id), {}))
        may = permissions_of_role(one.role)
        theirs = [case for case in late if case.permission in may and case.person_id != one.user_id]
        if theirs and CASES_WAIT.is_wanted(kept.opted_out):
            urgent = sum(case.is_urgent for case in theirs)
            facts = {"waiting": str(len(theirs)), "urgent": str(urgent)}
            letters_of_today.add(one.user_id, CASES_WAIT, Cause(about=event, facts=facts))
    return letters_of_today.actions()


def _letters_after(moment: datetime) -> Put:
    """Returns the action that plans the letters for the next morning, however many cases do so."""
    morning = moment.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if morning <= moment:
        morning += timedelta(days=1)
    return Put(plan(LETTERS, moment=morning, subject=EVERYONE, morning=morning.isoformat()).item)


def _late_at(item: Item | None) -> datetime | None:
    return late_at(item) if isinstance(item, Case) else None
