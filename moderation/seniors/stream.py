"""Tells seniors, by notification and letter, that a junior asked, and the junior that there is an answer. The clock
reads who is on the staff, as the stream worker may not."""

import hashlib
from contextlib import suppress

from django.utils.translation import gettext as _

from accounts.mail.letters import Facts, Letter, Recipient, letter
from moderation.cases.reads import CaseId, id_of, read_case
from moderation.models import AuditEntry, CaseKind
from moderation.notices import RAISED, RAISED_LETTER, SENIOR_ANSWERED
from moderation.seniors.writes import ANSWERED, TELL_SENIORS
from moderation.staff.waiting_too_long import staff_for, telling
from socialsite.due.models import Due
from socialsite.due.work import done, due_work
from socialsite.streams import Change, Ledger, on
from socialsite.table import NotFound, access_pattern, transact
from socialsite.telling import Cause, Telling, tell


@due_work(TELL_SENIORS)
@access_pattern
def tell_seniors(due: Due) -> None:
    """Plans to tell the seniors that one of the staff asks about a case, and writes to them, in the transaction that
    ends the due item. Nothing if the case was answered or decided meanwhile.

    A consistent GetItem, 1 read unit, and `staff_for`; 2 write units, and 4 for each who is told.
    """
    case_id = CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_of"])
    with suppress(NotFound):
        case = read_case(case_id)
        if case.raised != due.facts["note"]:
            return
        letters, about = Telling(), f"{id_of(case)} {case.raised}"
        told = staff_for(case, told_of=RAISED, besides=[due.facts["by"]])
        for one in told:
            letters.add(one, RAISED_LETTER, Cause(about=about, facts={"path": case_id.url}))
        tellings = [telling(one, RAISED, case, about=about) for one in told]
        transact(*tellings, *letters.actions(), done(due))


@letter(RAISED_LETTER, a_day=5)
def case_raised(to: Recipient, facts: Facts) -> Letter:
    """Says that someone on the staff asks about a case. It names nobody."""
    return Letter(
        _("A moderator asks you about a case"),
        (_("They left a note on the case. It waits for you in the list for seniors."),),
        button=_("Open the case"),
        path=facts["path"],
        after=(_("You can turn this letter off in the settings of your notifications."),),
    )


@on(AuditEntry, "INSERT")
def notify_of_answer(change: Change, ledger: Ledger) -> None:
    """Tells the one who asked that a senior answered. All new ones are one line. A case counts once in it, by a hash,
    as it may hold nobody's id."""
    entry = change.item
    assert isinstance(entry, AuditEntry)
    to = (entry.detail or {}).get("to", "")
    if entry.action != ANSWERED or not to or to == entry.moderator_id:
        return
    kind, _sep, subject_id = str(entry.case).rpartition("-")
    case_id = CaseId(CaseKind(kind), subject_id)
    stands_for = hashlib.sha256(str(case_id).encode()).hexdigest()[:10]
    tell(to, SENIOR_ANSWERED, Cause(stands_for, case_id.key)).enter(ledger)
