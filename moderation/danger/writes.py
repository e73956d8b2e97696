"""What staff do for somebody in danger: kind words, which are no strike and name no rule, the steps of the checklist,
and who helps in which country."""

from collections.abc import Callable
from datetime import timedelta
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts.people.viewer import Viewer
from moderation.cases.reads import CaseId, OwnCase, is_kept_only, must_outrank, read_case_and_role
from moderation.cases.words import language_of
from moderation.log.writes import record_made
from moderation.models import Case, CaseNote, HelpOffer
from moderation.rules.writes import change_site, put
from socialsite.clock import utc_now
from socialsite.site_settings.models import SiteHelp
from socialsite.table import (
    Change,
    Create,
    NotFound,
    WriteAction,
    access_pattern,
    ids,
    keys,
)

KEPT = timedelta(days=90)


class HelpStep(StrEnum):
    """A step of the checklist, in the order in which they are taken."""

    READ = "read"
    EMERGENCY = "emergency"
    HELP = "help"
    SENIOR = "senior"
    AGAIN = "again"


STEPS: dict[HelpStep, Promise] = {
    HelpStep.READ: _("Read what they wrote last, and when"),
    HelpStep.EMERGENCY: _("If a life is at risk and you know where: call the emergency services"),
    HelpStep.HELP: _("Send help"),
    HelpStep.SENIOR: _("Tell somebody who has done this before"),
    HelpStep.AGAIN: _("Look again within a day"),
}
KIND_WORDS = _(
    "Somebody here is worried about you, and so are we. You haven’t done anything wrong. If you are thinking about "
    "hurting yourself, or feel that you can’t go on, please talk to somebody now: below are people who listen, at any "
    "hour and without asking who you are. If you are in danger, call the emergency number of your country."
)


def kind_words(language: str) -> str:
    """Returns the standard words to somebody in danger, in their language."""
    with override(language_of(language)):
        return str(KIND_WORDS)


@access_pattern
def send_help(*, by: Viewer, case_id: CaseId, text: str) -> str:
    """Writes kind words to the person whom a case is about, and ticks the step. No strike, no rule: the case stays as
    it is. Returns the offer's id. As `read_case_and_role`, one consistent GetItem of the log's head, then one
    TransactWriteItems of offer, note, case and log, 12 write units. In all 12 write units and 3 read units. Raises
    `NotFound`, `OwnCase`, `Outranked`."""
    offer_id = ids.new_id()

    def actions() -> list[WriteAction]:
        case, role = read_case_and_role(case_id)
        _check(by, case, role)
        offer = HelpOffer(
            *keys.help_offer(case.person_id, offer_id),
            user_id=case.person_id,
            offer_id=offer_id,
            text=text,
            ttl=utc_now() + KEPT,
        )
        return [
            Create(offer),
            _note(by, case, offer_id, text),
            _ticked(case, HelpStep.HELP, done=True),
        ]

    _record(actions, by=by, case_id=case_id, action="help", detail={"text": text})
    return offer_id


@access_pattern
def tick_step(*, by: Viewer, case_id: CaseId, step: HelpStep, done: bool) -> None:
    """Ticks a step of the checklist, or takes the tick back. Safe to repeat. Nobody's decision is made old by it. As
    `read_case_and_role`, one consistent GetItem of the log's head, then one TransactWriteItems, 6 write units. In all 6
    write units and 3 read units. Raises `NotFound`, `OwnCase`, `Outranked`."""

    def actions() -> list[WriteAction]:
        case, role = read_case_and_role(case_id)
        _check(by, case, role)
        return [_ticked(case, step, done=done)]

    detail = {"step": str(step), "done": done}
    _record(actions, by=by, case_id=case_id, action="step", detail=detail)


def _check(by: Viewer, case: Case, role: str) -> None:
    if case.person_id == by.user_id:
        raise OwnCase
    if is_kept_only(case):
        raise NotFound("the account was erased")
    must_outrank(by, role)


def _note(by: Viewer, case: Case, note_id: str, text: str) -> Create:
    key = keys.case_note(case.kind, case.subject_id, note_id)
    said = f"{STEPS[HelpStep.HELP]}: {text}"
    return Create(CaseNote(*key, note_id=note_id, moderator_id=by.user_id, text=said, ttl=case.ttl))


def _ticked(case: Case, step: HelpStep, *, done: bool) -> Change:
    names = {str(step)}
    changed = Case.steps_done.add(names) if done else Case.steps_done.delete(names)
    return Change(Case, keys.case(case.kind, case.subject_id), [changed], otherwise=NotFound)


def _record(
    make: Callable[[], list[WriteAction]],
    *,
    by: Viewer,
    case_id: CaseId,
    action: str,
    detail: dict[str, Any],
) -> None:
    record_made(
        make,
        by=by.user_id,
        action=action,
        case=str(case_id),
        person_id=case_id.subject_id,  # of a case about a person
        detail=detail,
    )


@access_pattern
def save_help(*, by: Viewer, lines: str, role: str) -> None:
    """Writes who helps, and which role hears at once of somebody in danger (empty: all who decide cases). One
    TransactWriteItems with the audit log: 2 write units for each KB of lines, and 4. In all 6 to 12 write units and 1
    read unit."""
    values = [
        SiteHelp.lines.set(lines),
        SiteHelp.danger_role.set(role) if role else SiteHelp.danger_role.remove(),
    ]
    change_site(by, "change help", put(SiteHelp, keys.site_help(), values), role=role)
