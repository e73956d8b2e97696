"""Waves as templates show them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.cards import PersonCard
from moderation.cases.cases import CaseId
from moderation.cases.pages.cards import CaseRow
from moderation.models import CaseKind, WaveState
from moderation.rules.preset_texts import LINES, NAMES
from moderation.waves.waves import WaveDecision, Why
from socialsite.site.default_rules import URGENT

STATES: Mapping[str, Promise] = {
    WaveState.DRAFT: _("Not started"),
    WaveState.RUNNING: _("Under way"),
    WaveState.DONE: _("Done"),
    WaveState.UNDOING: _("Being undone"),
    WaveState.UNDONE: _("Undone"),
}
REASONS: Mapping[str, Promise] = {
    Why.OWN: _("This is about you."),
    Why.STAFF: _("They are on the staff."),
    Why.GONE: _("It is gone."),
    Why.MOVED: _("It changed since you chose it."),
    Why.REVIEWED: _("Someone else is reviewing it."),
    Why.NOTHING: _("There is no post to act on."),
    Why.APPEALED: _("An appeal about it waits for its answer."),
    Why.UNFIT: _("This action does not fit."),
    Why.LEFT_OUT: _("You left it out."),
    Why.NOT_PERMITTED: _("It was no longer permitted."),
}


@dataclass(frozen=True, slots=True)
class WaveCard:
    """A wave: its decision, who made it, and how far it got."""

    wave_id: str
    url: str
    by: PersonCard | None
    case_kind: CaseKind
    decision: WaveDecision
    state: WaveState
    total: int
    done: int
    skipped: int
    undone: int
    iso: str
    ago: str

    @property
    def name(self) -> str:
        return str(NAMES[self.decision.kind])

    @property
    def line(self) -> str:
        return str(LINES[self.decision.kind])

    @property
    def state_text(self) -> str:
        return str(STATES[self.state])

    @property
    def is_draft(self) -> bool:
        return self.state == WaveState.DRAFT

    @property
    def is_busy(self) -> bool:
        return self.state in (WaveState.RUNNING, WaveState.UNDOING)

    @property
    def is_undoing(self) -> bool:
        return self.state == WaveState.UNDOING

    @property
    def may_be_undone(self) -> bool:
        return self.state == WaveState.DONE and self.done > 0

    @property
    def seen(self) -> int:
        """Returns how many cases the job that is under way has dealt with."""
        return self.undone if self.is_undoing else self.done + self.skipped

    @property
    def of(self) -> int:
        """Returns how many it has to deal with."""
        return self.done if self.is_undoing else self.total


@dataclass(frozen=True, slots=True)
class WaveRow:
    """A case of a wave. `case` is None for people without one, `why` is empty unless nothing is done about it."""

    case_id: CaseId
    person: PersonCard | None
    case: CaseRow | None
    posts: int
    why: str
    is_done: bool

    @property
    def value(self) -> str:
        """Returns what its checkbox sends."""
        return f"{self.case_id.kind}.{self.case_id.subject_id}"

    @property
    def why_text(self) -> str:
        return str(REASONS[self.why]) if self.why else ""

    @property
    def is_urgent(self) -> bool:
        return self.case is not None and self.case.has_severity and self.case.urgency == URGENT

    @property
    def url(self) -> str:
        return self.case.url if self.case else ""


@dataclass(frozen=True, slots=True)
class WaveFile:
    """A wave with its cases."""

    wave: WaveCard
    rows: list[WaveRow]

    @property
    def to_do(self) -> list[WaveRow]:
        """Returns the cases that can be acted on, the urgent ones first."""
        return sorted((row for row in self.rows if not row.why), key=lambda row: not row.is_urgent)

    @property
    def left_out(self) -> list[WaveRow]:
        return [row for row in self.rows if row.why]

    @property
    def rule_of_all(self) -> str:
        """Returns the rule that the reports of each case name and no other, empty if they differ."""
        named = {row.case.rules if row.case and row.case.is_open else () for row in self.to_do}
        rules = named.pop() if len(named) == 1 else ()
        return rules[0] if len(rules) == 1 else ""

    @property
    def urgent(self) -> list[WaveRow]:
        return [row for row in self.rows if row.is_urgent and not row.why]
