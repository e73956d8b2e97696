"""What a wave does (the action, its end, the rule, and the message to each person), its preview, and what pages send to
begin one: `targets=<kind>.<subject>.<version>`, and `post=<author>.<post>`."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import BadRequest, ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.people.viewer import Viewer
from moderation.bulk_decisions.reads import WaveDecision, WaveFile, actions_for
from moderation.cases.action_cards import ActionCard
from moderation.cases.decisions import MOST_POSTS
from moderation.cases.effects import WITH_NOTICE
from moderation.cases.forms import (
    DEFAULT,
    ENDS,
    HAS_END,
    NAMES_RULE,
    OWN_WORDS,
    PRESET_ERRORS,
    RULE_ERRORS,
    UNTIL_LIFTED,
)
from moderation.cases.reads import CaseId, seen_case
from moderation.cases.templates import misfit, presets_offered, title_of
from moderation.cases.words import LINES, NAMES, language_of
from moderation.models import WITHOUT_EFFECT, ActionKind, Case, CaseKind
from moderation.suspicions.reads import Target
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import OTHER, Preset
from socialsite.table import NotFound, access_pattern, fetch, ids, row
from socialsite.web.fields import PlainTextField

POST = re.compile(rf"({ids.PATTERN})\.({ids.PATTERN})")


class SeveralKinds(BadRequest):
    """The cases are of several kinds, and no action fits all of them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The cases of a wave. `posts_left` is how many posts do not fit, because an action takes 20 of each person."""

    targets: tuple[Target, ...]
    posts_left: int

    @property
    def kind(self) -> CaseKind:
        return self.targets[0].case_id.kind

    @property
    def names_posts(self) -> bool:
        return any(target.posts for target in self.targets)


def chosen_from(targets: Iterable[str], posts: Iterable[str]) -> Chosen:
    """Reads what a page sent: cases of one kind, and posts, which belong to their author. Raises `SeveralKinds`, and
    `BadRequest` for what no page sends."""
    seen = {one.case_id: one.version for one in map(seen_case, targets)}
    of_author: dict[CaseId, list[str]] = {}
    for value in dict.fromkeys(posts):
        if not (found := POST.fullmatch(value)):
            raise BadRequest("no such post")
        of_author.setdefault(CaseId(CaseKind.PERSON, found[1]), []).append(found[2])
    chosen = {**dict.fromkeys(of_author, 0), **seen}
    if len({case_id.kind for case_id in chosen}) > 1:
        raise SeveralKinds
    return Chosen(
        tuple(
            Target(case_id, version, tuple(of_author.get(case_id, ())[:MOST_POSTS]))
            for case_id, version in chosen.items()
        ),
        sum(max(len(of_one) - MOST_POSTS, 0) for of_one in of_author.values()),
    )


@access_pattern
def as_previewed(targets: Sequence[Target]) -> list[Target]:
    """Returns the targets, those of people who were not chosen by a case with the version that their case has now: the
    preview shows it, so the wave answers its reports too. One consistent BatchGetItem, 1 read unit each."""
    wanted = [target.case_id.key for target in targets if not target.version]
    found = fetch(wanted, consistent=True) if wanted else {}
    return [
        replace(target, seen_version=int(row(Case, found[target.case_id.key]).version))
        if target.case_id.key in found
        else target
        for target in targets
    ]


def first_decision(chosen: Chosen, viewer: Viewer, asked: str) -> WaveDecision:
    """Returns the decision that a draft begins with: the action that was asked for, or the mildest that does something.
    Raises `NotFound` for cases that the viewer may not open, `BadRequest` for an action that is not offered."""
    offered = actions_for(chosen.kind, viewer)
    if not offered:
        raise NotFound("not permitted")
    mildest = next(kind for kind in offered if kind not in WITHOUT_EFFECT)
    kind = asked or str(ActionKind.HIDE if chosen.names_posts else mildest)
    if kind not in offered:
        raise BadRequest("no such action")
    return WaveDecision(ActionKind(kind))


class WaveForm(forms.Form):
    """Has the fields that the action needs, and the cases to act on (`include`). A preview is a form that was not sent:
    what was typed stands in `initial`."""

    kind = forms.ChoiceField(label=_("What to do"), widget=forms.RadioSelect)
    rule = forms.ChoiceField(label=_("Rule that was broken"), error_messages=RULE_ERRORS)
    end = forms.ChoiceField(
        label=_("For how long"), choices=ENDS, initial=UNTIL_LIFTED, widget=forms.RadioSelect
    )
    preset = forms.ChoiceField(
        label=_("What we tell them"), initial=DEFAULT, error_messages=PRESET_ERRORS
    )
    words = PlainTextField(
        label=_("In your own words"), max_characters=500, multiline=True, required=False
    )
    include = forms.MultipleChoiceField(
        label=_("Cases"),
        required=False,
        error_messages={
            "invalid_choice": _("One of these cases is not in this wave. Choose again.")
        },
    )

    def __init__(
        self,
        data: Any = None,
        *,
        kind: ActionKind,
        kinds: Collection[ActionKind],
        cases: Collection[str],
        initial: Mapping[str, Any],
    ) -> None:
        super().__init__(data, initial={**initial, "kind": kind})
        self.action = kind
        self.own_presets: list[Preset] = []
        self._choices("kind", [(str(one), NAMES[one]) for one in kinds])
        self._choices("include", [(one, one) for one in cases])
        if kind not in HAS_END:
            del self.fields["end"]
        if kind in NAMES_RULE:
            rules = [(rule.rule_id, rule.title) for rule in site_rules().rules]
            none = (OTHER, _("No particular rule"))
            self._choices("rule", [("", _("Choose…")), *rules, none])
        else:
            del self.fields["rule"]
        if kind in WITH_NOTICE:
            self.own_presets = presets_offered(kind, to_many=True)
            titles = [(one.preset_id, title_of(one)) for one in self.own_presets]
            first, last = (DEFAULT, _("Standard message")), (OWN_WORDS, _("Only my own words"))
            self._choices("preset", [first, *titles, last])
        else:
            del self.fields["preset"], self.fields["words"]

    @property
    def tells(self) -> bool:
        """Whether the people get a message about it."""
        return "preset" in self.fields

    @property
    def included(self) -> set[str]:
        """Returns the cases to act on, as they were sent or are offered."""
        return set(self["include"].value() or ())

    def clean_include(self) -> list[str]:
        include: list[str] = self.cleaned_data["include"]
        if not include:
            raise ValidationError(_("Choose a case first."), code="required")
        return include

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("preset") == OWN_WORDS and not data.get("words") and "words" not in self.errors:
            self.add_error("words", _("Write a message to them."))
        if wrong := misfit(self.own_presets, data.get("preset", ""), data.get("rule", "")):
            self.add_error("preset", wrong)
        return data

    def decision(self) -> WaveDecision:
        """Returns the decision, made from what was sent, or of a preview from what was typed so far."""
        said = {name: self[name].value() for name in self.fields if name != "include"}
        said |= getattr(self, "cleaned_data", {})
        end, rule = said.get("end") or UNTIL_LIFTED, said.get("rule") or OTHER
        return WaveDecision(
            kind=self.action,
            until=_until(str(end)),
            preset=str(said.get("preset") or DEFAULT),
            words=str(said.get("words") or "").strip(),
            rule_id="" if rule == OTHER else str(rule),
        )

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


def _until(end: str) -> str:
    """Returns the moment, empty for no end, or for one that nobody can choose."""
    days = [choice for choice, _label in ENDS if choice != UNTIL_LIFTED]
    if end not in days:
        return ""
    return (utc_now() + timedelta(days=int(end))).isoformat()


TYPED = ("rule", "end", "preset", "words")


def new_form(file: WaveFile, viewer: Viewer) -> WaveForm:
    """Returns the form with every case but the urgent ones of a dismissal, which deserve a look of their own."""
    dismisses = file.wave.decision.kind in WITHOUT_EFFECT
    include = [row.value for row in file.to_do if not (dismisses and row.is_urgent)]
    return _form(file, viewer, str(file.wave.decision.kind), initial={"include": include})


def typed_form(file: WaveFile, viewer: Viewer, typed: QueryDict) -> WaveForm:
    """Returns the form with what was typed so far, without errors. Raises `BadRequest` for an unknown action."""
    initial: dict[str, Any] = {name: typed[name] for name in TYPED if name in typed}
    initial["include"] = typed.getlist("include")
    return _form(file, viewer, typed.get("kind", ""), initial=initial)


def sent_form(file: WaveFile, viewer: Viewer, sent: QueryDict) -> WaveForm:
    """Returns the form as it was sent. Raises `BadRequest` for an unknown action."""
    return _form(file, viewer, sent.get("kind", ""), data=sent)


def preview_of(file: WaveFile, form: WaveForm) -> dict[str, Any]:
    """Returns what the page says of the decision: the action, and the message in the site's own language, with as many
    posts as the first person has in the wave."""
    decision, language = form.decision(), language_of("")
    posts = next((row.posts for row in file.to_do if row.posts), 1)
    shown = ("",) * posts if decision.acts_on_posts else ()
    notice = ActionCard.foreseen(decision.about(shown, language=language))
    return {
        "decision": decision,
        "name": NAMES[decision.kind],
        "line": LINES[decision.kind],
        "notice": notice if form.tells else None,
        "notice_language": language,
    }


def _form(file: WaveFile, viewer: Viewer, kind: str, **values: Any) -> WaveForm:
    kinds = actions_for(file.wave.case_kind, viewer)
    if kind not in kinds:
        raise BadRequest("no such action")
    cases = [row.value for row in file.to_do]
    if any(rule.rule_id == file.rule_of_all for rule in site_rules().rules):
        values["initial"] = {"rule": file.rule_of_all, **values.get("initial", {})}
    values.setdefault("initial", {})
    return WaveForm(kind=ActionKind(kind), kinds=kinds, cases=cases, **values)
