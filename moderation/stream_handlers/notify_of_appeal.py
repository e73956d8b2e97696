"""Tells members of staff of an appeal: all who may answer it but the moderator who decided. The clock does it."""

from contextlib import suppress

from accounts.permissions import Permission
from moderation.cases.cases import CaseId, read_case
from moderation.cases.services.appeal import TELL_OF_APPEAL
from moderation.models import ActionKind, Appeal, CaseAction, CaseKind, Strike
from moderation.staff.telling import staff_for, telling
from notifications.kinds import Kind
from socialsite.due.planning import done
from socialsite.due.work import due_work
from socialsite.models import Due
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@due_work(TELL_OF_APPEAL)
@access_pattern
def tell_of_appeal(due: Due) -> None:
    """Plans to tell each of them, in the transaction that ends the due item. Where nobody else may answer and
    wants to be told, the moderator who decided hears of it. Nothing if the appeal was answered meanwhile.

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
        also = [Permission.SUSPEND] if decided.kind == ActionKind.SUSPEND else []
        others = staff_for(case, besides=[decided.moderator_id], also=also)
        tellings = [
            telling(user_id, Kind.APPEALED, case, about=f"{case_id} {action_id}")
            for user_id in others or staff_for(case, also=also)
        ]
        transact(*tellings, done(due))
