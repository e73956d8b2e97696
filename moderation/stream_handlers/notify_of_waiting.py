"""Tells members of staff of cases that wait long: over a day, urgent ones over an hour. And once a day by letter."""

from datetime import datetime, timedelta

from accounts.mail.posting import post_mail
from accounts.models import UserSettings
from accounts.permissions import list_staff, permissions_of_role
from moderation import letters  # noqa: F401 - importing registers them
from moderation.cases.cases import CaseId, id_of
from moderation.models import Case, CaseKind
from moderation.staff.patience import WAITS, LateCase, late_at, list_late, planned_look
from moderation.staff.telling import MOST_TOLD, TELL, name_of, staff_for, tell, telling
from notifications.choices import OptOut
from notifications.kinds import Kind
from socialsite.clock import utc_now
from socialsite.due.planning import cancel, done, plan
from socialsite.due.work import due_work
from socialsite.models import Due
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.actions import Create, Put
from socialsite.table.item import Item
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact, write_batch

LETTERS = "cases-waiting"
EVERYONE = "staff"
HOUR = 6  # of the day, in UTC
MINE = "mine"

due_work(TELL)(tell)


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
    """Plans to tell the moderator on whose desk the case lies, otherwise everyone who may decide it, and a letter for
    the morning, in the transaction that ends the due item. Nothing if the case was decided, or waits anew.

    A consistent BatchGetItem, 1 read unit, and `staff_for`; 4 write units, and 2 for each who is told.
    """
    key = CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_of"]).key
    raw = fetch([key], consistent=True).get(key)
    case = as_model(Case, raw) if raw else None
    late = late_at(case) if case else None
    if case is None or late is None or late > datetime.fromisoformat(due.moment):
        return
    told = [case.assigned_to] if case.assigned_to else staff_for(case)
    tab = MINE if case.assigned_to else case.queue
    tellings = [telling(one, Kind.WAITING, case, about=name_of(case), tab=tab) for one in told]
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


def _letters(late: list[LateCase], event: str) -> list[Create]:
    staff = list_staff()[:MOST_TOLD]
    settings = fetch(keys.user_settings(one.user_id) for one in staff)
    letters_of_today = []
    for one in staff:
        kept = row(UserSettings, settings.get(keys.user_settings(one.user_id), {}))
        may = permissions_of_role(one.role)
        theirs = [case for case in late if case.permission in may and case.person_id != one.user_id]
        if theirs and OptOut.CASES not in kept.opted_out:
            urgent = sum(case.is_urgent for case in theirs)
            letters_of_today.append(
                post_mail(
                    LETTERS,
                    user_id=one.user_id,
                    event=event,
                    waiting=str(len(theirs)),
                    urgent=str(urgent),
                )
            )
    return letters_of_today


def _letters_after(moment: datetime) -> Put:
    """Returns the action that plans the letters for the next morning, however many cases do so."""
    morning = moment.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if morning <= moment:
        morning += timedelta(days=1)
    return Put(plan(LETTERS, moment=morning, subject=EVERYONE, morning=morning.isoformat()).item)


def _late_at(item: Item | None) -> datetime | None:
    return late_at(item) if isinstance(item, Case) else None
