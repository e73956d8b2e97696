"""Tells members of staff at once that someone is in danger, by notification and letter, and the person of kind words.

The clock reads who is on the staff, as the stream worker may not.
"""

from collections.abc import Mapping
from contextlib import suppress

from django.utils.translation import gettext as _

from accounts.mail.letters import Facts, Letter, Recipient, letter
from accounts.permissions import list_staff
from moderation.cases.reads import CaseId, id_of, is_open, read_case, waits_in
from moderation.models import Case, CaseKind, HelpOffer
from moderation.notices import DANGER_REPORTED, DANGER_WAITS, HELP_OFFERED
from moderation.staff.waiting_too_long import name_of, staff_for, telling
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import done, due_work, plan
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import DANGER
from socialsite.streams import Change, Ledger, on
from socialsite.table import NotFound, Put, access_pattern, transact
from socialsite.telling import Cause, Telling, tell
from socialsite.web.limits import Limit, LimitReached, count_hits, next_window

TELL_OF_DANGER, WRITE_OF_DANGER = "tell-of-danger", "write-of-danger"
LETTERS_AT_ONCE = Limit("danger-letters", 1, 20 * 60)
DESKS = "desks"


@on(Case, "INSERT", "MODIFY")
def plan_telling_of_danger(change: Change, ledger: Ledger) -> None:
    """Plans that staff are told, when someone first names danger in a round of a case. Safe to run twice: the same is
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
    """Tells someone of kind words."""
    offer = change.item
    assert isinstance(offer, HelpOffer)
    cause = Cause(offer.offer_id, offer.key, about=offer.offer_id)
    tell(offer.user_id, HELP_OFFERED, cause).enter(ledger)


@due_work(TELL_OF_DANGER)
@access_pattern
def tell_of_danger(due: Due) -> None:
    """Plans to tell those of the staff who are to hear of danger, and has them written to, in the transaction that ends
    the due item. Nothing if the case was closed meanwhile.

    A consistent GetItem, 1 read unit, and `_told_of`; 4 write units, and 2 for each who is told.
    """
    case_id = CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_of"])
    with suppress(NotFound):
        case = read_case(case_id)
        if not is_open(case):
            return
        tab = waits_in(case) if not case.assigned_to else DESKS
        tellings = [
            telling(one, DANGER_REPORTED, case, about=name_of(case), tab=tab)
            for one in _told_of(case)
        ]
        transact(*tellings, _letters_of(due.facts), done(due))


def _told_of(case: Case) -> list[str]:
    """Returns those with the role that staff named for danger who may decide the case, otherwise everyone who may. As
    `staff_for`, `list_staff` and 0.5 read units for a role of the site's own."""
    able = staff_for(case, told_of=DANGER_REPORTED)
    role = site_rules().danger_role
    named = {one.user_id for one in list_staff() if role and one.role == role}
    return [one for one in able if one in named] or able


def _letters_of(facts: Mapping[str, str]) -> Put:
    """Returns the action that plans letters about a case: at once, or at the end of the present window if there were
    some in it, which then stand for all that came meanwhile. So nobody can use up the letters of a day by reporting."""
    try:
        count_hits((LETTERS_AT_ONCE, "staff"))
        moment = utc_now()
    except LimitReached:
        moment = next_window(LETTERS_AT_ONCE)
    return Put(plan(WRITE_OF_DANGER, moment=moment, subject="staff", **facts).item)


@due_work(WRITE_OF_DANGER)
@access_pattern
def write_of_danger(due: Due) -> None:
    """Posts a letter to those who are to hear of danger, in the transaction that ends the due item. It may stand for
    several cases, so it goes out though the last of them was closed meanwhile, and then leads to the queue. As
    `tell_of_danger`."""
    case_id = CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_of"])
    with suppress(NotFound):
        case = read_case(case_id)
        letters, path = Telling(), case_id.url if is_open(case) else "/moderation/queue"
        for one in _told_of(case):
            letters.add(one, DANGER_WAITS, Cause(facts={"path": path}))
        transact(*letters.actions(), done(due))


@letter(DANGER_WAITS, a_day=3 * 24)
def danger_waits(to: Recipient, facts: Facts) -> Letter:
    """Says that someone may be in danger. It names nobody."""
    return Letter(
        _("Someone may be in danger"),
        (
            _(
                "Someone was reported to be in danger. Please look at it now. The page of the case has the steps "
                "to take."
            ),
        ),
        button=_("Open the case"),
        path=facts["path"],
    )
