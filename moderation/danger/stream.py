"""Tells members of staff at once that somebody is in danger, by notification and letter, and the person of kind words.

The clock reads who is on the staff, as the stream worker may not.
"""

from contextlib import suppress

from django.utils.translation import gettext as _

from accounts.mail.letters import Facts, Letter, Recipient, letter
from accounts.permissions import list_staff
from moderation.cases.reads import CaseId, id_of, is_open, read_case
from moderation.models import Case, CaseKind, HelpOffer
from moderation.notices import DANGER_REPORTED, DANGER_WAITS, HELP_OFFERED
from moderation.staff.waiting_too_long import MOST_TOLD, name_of, staff_for, telling
from socialsite.due.models import Due
from socialsite.due.work import done, due_work, plan
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import DANGER
from socialsite.streams import Change, Ledger, on
from socialsite.table import NotFound, Put, access_pattern, transact
from socialsite.telling import Cause, tell

TELL_OF_DANGER = "tell-of-danger"


@on(Case, "INSERT", "MODIFY")
def plan_telling_of_danger(change: Change, ledger: Ledger) -> None:
    """Plans that staff are told, when somebody first names danger in a round of a case. Safe to run twice: the same is
    planned."""
    case, old = change.item, change.old
    assert isinstance(case, Case)
    named_before = isinstance(old, Case) and old.round == case.round and DANGER in (old.rules or ())
    if DANGER not in (case.rules or ()) or named_before:
        return
    ledger.note_effect()
    planned = plan(
        TELL_OF_DANGER,
        moment=change.moment,
        subject=str(id_of(case)),
        case_kind=case.kind,
        case_of=case.subject_id,
    )
    transact(Put(planned.item))


@on(HelpOffer, "INSERT")
def notify_of_help(change: Change, ledger: Ledger) -> None:
    """Tells somebody of kind words."""
    offer = change.item
    assert isinstance(offer, HelpOffer)
    cause = Cause(offer.offer_id, offer.key, about=offer.offer_id)
    tell(offer.user_id, HELP_OFFERED, cause).enter(ledger)


@due_work(TELL_OF_DANGER)
@access_pattern
def tell_of_danger(due: Due) -> None:
    """Plans to tell those who have the role that staff named for it, otherwise everyone who may decide the case, by
    notification and letter, in the transaction that ends the due item. Nothing if the case was closed meanwhile.

    A consistent GetItem, 1 read unit, `list_staff` or `staff_for`; 2 write units, and 4 for each who is told.
    """
    case_id = CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_of"])
    with suppress(NotFound):
        case = read_case(case_id)
        if not is_open(case):
            return
        role = site_rules().danger_role
        named = [one.user_id for one in list_staff() if role and one.role == role]
        told = [one for one in named if one != case.person_id][:MOST_TOLD]
        told = told or staff_for(case, told_of=DANGER_REPORTED)
        tellings = [telling(one, DANGER_REPORTED, case, about=name_of(case)) for one in told]
        letters = [
            action
            for one in told
            for action in tell(one, DANGER_WAITS, Cause(about=name_of(case))).actions()
        ]
        transact(*tellings, *letters, done(due))


@letter(DANGER_WAITS)
def danger_waits(to: Recipient, facts: Facts) -> Letter:
    """Says that somebody may be in danger. It names nobody."""
    return Letter(
        _("Somebody may be in danger"),
        (
            _(
                "Somebody was reported to be in danger. Please look at it now. The page of the case has the steps "
                "to take."
            ),
        ),
        button=_("Open the case"),
        path="/moderation/queue?queue=reports&severity=1",
    )
