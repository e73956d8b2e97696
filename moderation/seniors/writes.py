"""Asking a senior about a case, with a note: it leaves the lists of juniors and waits with the seniors. One of them
decides it, or gives it back with an answer."""

from collections.abc import Sequence

from accounts.people.viewer import Viewer
from accounts.permissions import is_junior
from moderation.cases.changes import change_case, lay_on_desk
from moderation.cases.limits import BeyondLimits
from moderation.cases.reads import (
    CaseId,
    CaseMoved,
    OwnCase,
    is_looked_at_by_another,
    is_open,
    read_case,
)
from moderation.cases.writes import CannotHave, may_have
from moderation.danger.writes import HelpStep
from moderation.log.writes import record_made
from moderation.models import Case, CaseNote, Queue
from moderation.rules.writes import save_settings
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.site_settings.site_setup import DANGER
from socialsite.table import Create, NotFound, WriteAction, access_pattern, fetch, ids, keys, row

TELL_SENIORS = "tell-seniors"  # the kind of the due item
ASKED, ANSWERED = "ask senior", "answer junior"  # in the log


@access_pattern
def ask_senior(*, by: Viewer, case_id: CaseId, text: str) -> None:
    """Asks the seniors about an open case, with a note that stays with it. It leaves its queue or desk and waits in the
    list of the seniors, who are told. Where someone is in danger, that step is ticked. Safe to repeat: what one asked
    is asked once. Raises `NotFound`, `CaseMoved` if someone else reviews it, has it on their desk or
    asked before, `OwnCase`.

    Two consistent GetItems, then one TransactWriteItems of case, note, due item and log: 11 write units. In all 11
    write units and 2 read units.
    """
    case = read_case(case_id)
    if case.person_id == by.user_id:
        raise OwnCase
    if not is_open(case):
        raise NotFound("the case is closed")
    if case.raised:
        if _asked_by(case) == by.user_id:
            return
        raise CaseMoved("someone else asked")
    if is_looked_at_by_another(case, by.user_id):
        raise CaseMoved("someone else is reviewing it")
    if case.assigned_to not in (None, by.user_id):
        raise CaseMoved("someone else has it on their desk")
    note_id = ids.new_id()
    told = plan(
        TELL_SENIORS,
        moment=utc_now(),
        subject=note_id,
        note=note_id,
        by=by.user_id,
        case_kind=case.kind,
        case_of=case.subject_id,
    )
    waiting = lay_on_desk("", otherwise=keys.queue(Queue.SENIORS))
    actions = [Case.raised.set(note_id), *waiting]
    if DANGER in (case.rules or ()):
        actions.append(Case.steps_done.add({str(HelpStep.SENIOR)}))
    _record(by, case, ASKED, {}, [change_case(case, actions, by=by.user_id), told], note_id, text)


@access_pattern
def answer_junior(*, by: Viewer, case_id: CaseId, text: str) -> str:
    """Answers the one who asked, and gives the case back: to their desk, or into its queue if they may not open it any
    more. Returns whose desk that is, empty for the queue. Safe to repeat. Raises `NotFound`, `CaseMoved`, `OwnCase`,
    and `BeyondLimits` for juniors.

    Three consistent GetItems and one BatchGetItem of the note, then one TransactWriteItems of case, note and log with a
    check of the role: 11 write units. In all 11 write units and 4 read units.
    """
    if is_junior(by):
        raise BeyondLimits("Seniors answer.")
    case = read_case(case_id)
    if case.person_id == by.user_id:
        raise OwnCase
    if not is_open(case) or not case.raised:
        raise NotFound("nobody asked")
    asked_by = _asked_by(case)
    case.raised = None
    checks: list[WriteAction] = []
    try:
        checks = [may_have(asked_by, case)] if asked_by else []
    except (CannotHave, NotFound):
        asked_by = ""
    back = lay_on_desk(asked_by, otherwise=keys.queue(case.queue))
    actions = [Case.raised.remove(), *back]
    writes = [*checks, change_case(case, actions, by=by.user_id)]
    detail = {"to": asked_by} if asked_by else {}
    _record(by, case, ANSWERED, detail, writes, ids.new_id(), text)
    return asked_by


def _asked_by(case: Case) -> str:
    """Returns who asked. One consistent BatchGetItem, 1 read unit."""
    key = keys.case_note(case.kind, case.subject_id, str(case.raised))
    return row(CaseNote, fetch([key], consistent=True).get(key, {})).moderator_id


def _record(
    by: Viewer,
    case: Case,
    action: str,
    detail: dict[str, str],
    writes: Sequence[WriteAction],
    note_id: str,
    text: str,
) -> None:
    key = keys.case_note(case.kind, case.subject_id, note_id)
    note = CaseNote(*key, note_id=note_id, moderator_id=by.user_id, text=text, ttl=case.ttl)
    record_made(
        lambda: [*writes, Create(note)],
        by=by.user_id,
        action=action,
        case=f"{case.kind}-{case.subject_id}",
        person_id=case.person_id,
        detail=detail,
    )


@access_pattern
def save_limits(*, by: Viewer, wave: int, days: int, level: str) -> None:
    """Sets what juniors may do: the cases of a wave, the days of a restriction, and the highest level of people whom
    they may act against. Costs as `save_settings`. In all 6 write units and 2 read units."""
    save_settings(by=by, values={"junior_wave": wave, "junior_days": days, "junior_level": level})
