"""The writes that reverse an action and mark it as undone: for Undo, for a granted appeal, and for the dismissal of
reports for which the site acted by itself."""

from accounts.models import UserSettings
from accounts.restrictions import FOR_EVER
from moderation.cases.effects import RESTRICTIONS, Target, effects_of_undoing
from moderation.cases.kept.resets import put_back
from moderation.cases.rounds import outcome_without
from moderation.models import (
    WITHOUT_EFFECT,
    ActionKind,
    Appeal,
    Case,
    CaseAction,
    CaseKind,
    Strike,
)
from socialsite.clock import utc_now_iso
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.reading import RawItem, query
from socialsite.table.row import row

WITH_NOTICE = set(ActionKind) - {*WITHOUT_EFFECT, ActionKind.RELEASE, ActionKind.APPROVE}


class AlreadyUndone(AlreadyExists):
    """Someone undid it before."""


def undone(
    by_id: str, case: Case, action: CaseAction, *, answers_appeal: bool = False
) -> list[WriteAction]:
    """Returns the writes that reverse the effects and mark action, strike and outcome as undone."""
    marks = marked_undone(by_id, case, action, answers_appeal=answers_appeal)
    return [*effects_undone(case, action), *marks, *outcome_without(case, action)]


def effects_undone(case: Case, action: CaseAction, *, waits: bool = False) -> list[WriteAction]:
    kind = ActionKind(action.kind)
    if kind == ActionKind.RESET:
        return put_back(case, action)
    posts = (case.subject_id,) if case.kind == CaseKind.POST else tuple(sorted(action.posts or ()))
    target = Target(case.person_id, posts)
    return effects_of_undoing(kind, target, until=_until_before(case, action), waits=waits)


def _until_before(case: Case, action: CaseAction) -> str:
    """Returns the end set by the newest other action of this kind that still stands, empty if there is none."""
    restriction = RESTRICTIONS.get(ActionKind(action.kind))
    if restriction is None:
        return ""
    strikes = query(keys.strikes(case.person_id), forward=False, consistent=True)
    others = (row(Strike, raw) for raw in strikes if _restricts(raw) == restriction)
    standing = (strike for strike in others if strike.action_id != action.action_id)
    return next((strike.until or FOR_EVER for strike in standing), "")


def _restricts(raw: RawItem) -> str | None:
    strike = row(Strike, raw)
    return None if strike.undone_at else RESTRICTIONS.get(ActionKind(strike.kind))


def marked_undone(
    by_id: str, case: Case, action: CaseAction, *, answers_appeal: bool = False
) -> list[WriteAction]:
    now = utc_now_iso()
    key = keys.case_action(case.kind, case.subject_id, action.action_id)
    marks = [CaseAction.undone_by.set(by_id), CaseAction.undone_at.set(now)]
    not_yet = CaseAction.undone_at.does_not_exist()
    actions: list[WriteAction] = [Change(CaseAction, key, marks, not_yet, AlreadyUndone)]
    if ActionKind(action.kind) not in WITH_NOTICE:
        return actions
    marked = [Strike.undone_at.set(now)]
    if answers_appeal:
        marked.append(Strike.appeal.set(Appeal.GRANTED))
    strike = keys.strike(case.person_id, action.action_id)
    return [*actions, Change(Strike, strike, marked), notice(case.person_id, action.action_id)]


def notice(person_id: str, action_id: str) -> Change:
    """Returns the action that shows the person a notice."""
    unread = [UserSettings.notice.set(action_id)]
    return Change(UserSettings, keys.user_settings(person_id), unread, otherwise=NotFound)
