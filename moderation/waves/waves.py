"""Waves as services read and write them: what they are about, what is decided, and why a case is left out."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Self

from accounts.cards import PersonCard
from accounts.permissions import Permission, permissions_of
from accounts.viewer import Viewer
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import CaseId
from moderation.cases.effects import ON_POSTS
from moderation.cases.forms.decide import DEFAULT, OWN_WORDS
from moderation.cases.services.decide import OF_KIND, WITH_NOTICE, Decision
from moderation.models import ActionKind, CaseKind, Wave, WaveTarget
from moderation.rules.preset_texts import default_text, language_of
from socialsite.site.site_rules import site_rules
from socialsite.table import keys, reading
from socialsite.table.errors import Conflict, TableError
from socialsite.table.reading import fetch

MOST_TARGETS = 500
KEPT = timedelta(days=90)
IN_WAVES = {  # all but RESET: what to remove needs a look at each profile
    *(ActionKind.DISMISS, ActionKind.CLOSE, ActionKind.WARN, ActionKind.SENSITIVE, ActionKind.HIDE),
    *(ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND),
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
class Target:
    """A case as the moderator chose it, with the posts to act on. `version` is 0 for people who were not chosen by a
    case. `seen_version` is then the version of the case that the preview shows, 0 for none."""

    case_id: CaseId
    version: int
    posts: tuple[str, ...] = ()
    seen_version: int = 0


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
        own = site_rules().presets_for(self.kind)
        presets = {one.preset_id: one.words_in(language_of(language)).text for one in own}
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
