"""What a wave does: the action, its end, the rule, and the message to each person."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from moderation.cases.forms.decide import (
    DEFAULT,
    ENDS,
    HAS_END,
    NAMES_RULE,
    OWN_WORDS,
    PRESET_ERRORS,
    RULE_ERRORS,
    UNTIL_LIFTED,
)
from moderation.cases.services.decide import WITH_NOTICE
from moderation.models import ActionKind
from moderation.rules.preset_texts import NAMES
from moderation.waves.waves import WaveDecision
from socialsite.clock import utc_now
from socialsite.site.default_rules import OTHER
from socialsite.site.site_rules import site_rules
from socialsite.web.fields import PlainTextField


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
            titles = [(one.preset_id, one.title) for one in site_rules().presets_for(kind)]
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
