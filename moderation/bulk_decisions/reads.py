"""Waves: what they are about, what is decided, why a case is left out, and how templates show them. All of them, and
one with its cases, as they would be acted on now."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Self

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from accounts.permissions import Permission, permissions_of
from moderation.cases.cards import CaseRow, Found, person_of
from moderation.cases.decisions import OF_KIND, Decision
from moderation.cases.effects import ON_POSTS, WITH_NOTICE
from moderation.cases.forms import DEFAULT, OWN_WORDS
from moderation.cases.reads import CaseId, permission_for
from moderation.cases.templates import fill, presets_offered, values_of
from moderation.cases.words import LINES, NAMES, default_text, language_of
from moderation.items.models import Wave, WaveTarget
from moderation.models import ActionKind, Case, CaseKind, WaveState
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import (
    Conflict,
    Page,
    RawItem,
    TableError,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    query,
    query_page,
    reading,
    row,
)
from socialsite.web.preferences import ago

MOST_TARGETS = 500
KEPT = timedelta(days=90)
IN_WAVES = {  # not RESET and WITHDRAW: what to remove needs a look at each profile
    *(ActionKind.DISMISS, ActionKind.CLOSE, ActionKind.WARN, ActionKind.SENSITIVE, ActionKind.HIDE),
    *(ActionKind.NO_MESSAGES, ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND),
    *(ActionKind.RELEASE, ActionKind.REFUSE, ActionKind.APPROVE, ActionKind.DECLINE),
}


class TooManyTargets(TableError):
    """More than a wave can have."""


class WaveMoved(Conflict):
    """The wave was started or undone before."""


class Why(StrEnum):
    """Why nothing was done about a case."""

    OWN = "own"
    STAFF = "staff"
    GONE = "gone"
    MOVED = "moved"
    REVIEWED = "reviewed"
    NOTHING = "nothing"  # none of the posts can be acted on
    APPEALED = "appealed"  # someone has to answer first
    UNFIT = "unfit"
    LEFT_OUT = "left out"
    NOT_PERMITTED = "not permitted"


@dataclass(frozen=True, slots=True)
class WaveDecision:
    """A decision about every case of a wave: the end (empty for none), the template, more words, and the rule."""

    kind: ActionKind
    until: str = ""
    preset: str = DEFAULT
    words: str = ""
    rule_id: str = ""

    @classmethod
    def of(cls, wave: Wave) -> Self:
        stored: Mapping[str, str] = wave.decision
        rest = {name: value for name, value in stored.items() if name != "kind"}
        return cls(ActionKind(stored["kind"]), **rest)

    @property
    def stored(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def acts_on_posts(self) -> bool:
        return self.kind in ON_POSTS

    def text_for(self, language: str) -> str:
        """Returns the message to a person who reads this language: the template, then the moderator's own words."""
        if self.kind not in WITH_NOTICE:
            return ""
        values = values_of(language, rule_id=self.rule_id, until=self.until)
        presets = {
            one.preset_id: fill(one.words_in(language_of(language)).text, values)
            for one in presets_offered(self.kind, to_many=True)
        }
        presets |= {DEFAULT: default_text(self.kind, language), OWN_WORDS: ""}
        return "\n\n".join(filter(None, [presets.get(self.preset, ""), self.words]))

    def about(self, posts: Iterable[str], *, language: str, keep_open: bool = False) -> Decision:
        """Returns the decision about one of the cases."""
        return Decision(
            kind=self.kind,
            posts=tuple(posts),
            until=self.until,
            text=self.text_for(language),
            keep_open=keep_open,
            saw_reports=not keep_open,
            rule_id=self.rule_id,
        )


def read_wave(wave_id: str) -> Wave:
    """Returns the wave. One consistent GetItem, 1 read unit. Raises `NotFound`."""
    return reading.get(Wave, keys.wave(wave_id), consistent=True)


def case_id_of(target: WaveTarget) -> CaseId:
    return CaseId(CaseKind(target.kind), target.subject_id)


def actions_for(case_kind: CaseKind, viewer: Viewer) -> list[ActionKind]:
    """Returns the actions of a wave about cases of this kind that the person may take, the mildest first."""
    kinds = [kind for kind in OF_KIND[case_kind] if kind in IN_WAVES]
    return [kind for kind in kinds if may_act(viewer, case_kind, kind)]


def may_act(viewer: Viewer, case_kind: CaseKind, kind: ActionKind) -> bool:
    permissions = permissions_of(viewer)
    may_suspend = kind != ActionKind.SUSPEND or Permission.SUSPEND in permissions
    return permission_for(case_kind) in permissions and may_suspend


def read_actor(user_id: str) -> Viewer:
    """Returns someone as the actor of a job, with the role they have now, or without any if they are locked out or
    gone. One consistent BatchGetItem, 1 read unit."""
    key = keys.user_info(user_id)
    raw = fetch([key], consistent=True).get(key)
    card = PersonCard.from_raw(raw) if raw else None
    return Viewer(user_id, card=None if card is None or card.is_locked_out else card)


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


@access_pattern
def list_waves(*, cursor: str | None = None) -> Page[WaveCard]:
    """Returns the waves of the last 90 days, newest first. One Query and one BatchGetItem of who made them: 0.5 read
    units per 4 KB, and 0.5 a person. In all 1 + at most 10 read units."""
    page = query_page(keys.waves(), cursor=cursor)
    waves = [as_model(Wave, raw) for raw in page.items]
    makers = {keys.user_info(wave.moderator_id) for wave in waves if wave.moderator_id}
    found = fetch(sorted(makers)) if makers else {}
    return page.with_items([_card(wave, found) for wave in waves])


@access_pattern
def get_wave(wave_id: str) -> WaveCard:
    """Returns a wave, without its cases. One consistent GetItem, 1 read unit, and 0.5 for who made it. In all 1.5 read
    units. Raises `NotFound`."""
    wave = reading.get(Wave, keys.wave(wave_id), consistent=True)
    return _card(wave, fetch([keys.user_info(wave.moderator_id or "")]))


@access_pattern
def get_wave_file(wave_id: str, *, viewer: Viewer) -> WaveFile:
    """Returns a wave with its cases. Those of a draft say why they would be left out now. Raises `NotFound`.

    As `get_wave`, then one Query of the targets, 1 read unit per 4 KB, and BatchGetItem of the cases and the people,
    0.5 each: at most 550 read units for 500 cases.
    """
    card = get_wave(wave_id)
    raws = query(keys.wave_targets(wave_id), consistent=True)
    targets = [as_model(WaveTarget, raw) for raw in raws]
    cases = fetch([case_id_of(target).key for target in targets])
    persons = {_person_id(target, cases) for target in targets} - {""}
    found = fetch(keys.user_info(person_id) for person_id in sorted(persons)) if persons else {}
    rows = [_row(target, cases, found, viewer, card.state) for target in targets]
    return WaveFile(card, rows)


def _card(wave: Wave, found: Found) -> WaveCard:
    at = ids.time_of(wave.wave_id)
    return WaveCard(
        wave_id=wave.wave_id,
        url=f"/moderation/waves/{wave.wave_id}",
        by=person_of(wave.moderator_id or "", found),
        case_kind=CaseKind(wave.case_kind),
        decision=WaveDecision.of(wave),
        state=WaveState(wave.state),
        total=int(wave.total),
        done=int(wave.done),
        skipped=int(wave.skipped),
        undone=int(wave.undone),
        iso=at.isoformat(timespec="seconds"),
        ago=ago(at),
    )


def _row(
    target: WaveTarget, cases: Found, found: Found, viewer: Viewer, state: WaveState
) -> WaveRow:
    case_id = case_id_of(target)
    raw = cases.get(case_id.key)
    person = person_of(_person_id(target, cases), found)
    case = CaseRow.from_raw(raw, found) if raw else None
    why = target.why_not or ""
    if state == WaveState.DRAFT:
        why = _why_not(target, raw, person, viewer)
    return WaveRow(
        case_id=case_id,
        person=person,
        case=replace(case, person=person) if case else None,
        posts=len(target.posts or ()),
        why=why,
        is_done=bool(target.action_id),
    )


def _why_not(
    target: WaveTarget, raw: RawItem | None, person: PersonCard | None, viewer: Viewer
) -> str:
    """Returns why the case would be left out if the wave began now, empty if it would not."""
    case = row(Case, raw or {})
    if person is None or (raw is None and target.version):
        return Why.GONE
    if person.user_id == viewer.user_id:
        return Why.OWN
    if person.role:
        return Why.STAFF
    if target.version and case.version != target.version:
        return Why.MOVED
    if case.appealed and case.kind == CaseKind.POST:
        return Why.APPEALED
    return ""


def _person_id(target: WaveTarget, cases: Found) -> str:
    case_id: CaseId = case_id_of(target)
    if case_id.kind != CaseKind.POST:
        return case_id.subject_id
    return str(row(Case, cases.get(case_id.key, {})).person_id)
