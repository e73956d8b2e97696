"""The forms for templates: a message for a decision, and for one rule if it is of no use for others, with fields."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from moderation.cases.templates import MEANINGS, in_words, why_not
from moderation.models import ActionKind
from moderation.rules.forms import language_field
from socialsite.site_settings.site_rules import site_rules
from socialsite.web.fields import PlainTextField

ACTIONS = [
    (ActionKind.WARN, _("Warning")),
    (ActionKind.SENSITIVE, _("Marking a post as sensitive")),
    (ActionKind.HIDE, _("Hiding a post")),
    (ActionKind.RESET, _("Resetting a profile")),
    (ActionKind.WITHDRAW, _("Withdrawing a starter pack")),
    (ActionKind.NO_MESSAGES, _("Stopping private messages")),
    (ActionKind.LIMIT, _("Limiting an account")),
    (ActionKind.FREEZE, _("Freezing an account")),
    (ActionKind.REMOVE, _("Removing illegal pictures")),
    (ActionKind.SUSPEND, _("Suspending an account")),
    (ActionKind.REFUSE, _("Rejecting a held post")),
    (ActionKind.DECLINE, _("Declining a sign-up")),
]


class PresetForm(forms.Form):
    action = forms.ChoiceField(
        label=_("Use for"), help_text=_("The decision this template is for."), choices=ACTIONS
    )
    rule = forms.ChoiceField(label=_("For which rule"), required=False)
    title = PlainTextField(
        label=_("Title"), help_text=_("Only moderators see this."), max_characters=100
    )
    text = PlainTextField(
        label=_("Message"),
        help_text=format_lazy(
            "{} {} {}.",
            _("What the person will read. You can add your own words each time."),
            _("These fields are filled in for you:"),
            in_words(list(MEANINGS)),
        ),
        max_characters=500,
        multiline=True,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rule = self.fields["rule"]
        assert isinstance(rule, forms.ChoiceField)
        rules = [(one.rule_id, one.title) for one in site_rules().rules]
        rule.choices = [("", _("Any rule")), *rules]

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if "action" in self.cleaned_data and (wrong := why_not(text, self.cleaned_data["action"])):
            raise ValidationError(wrong, code="field")
        return text


class NewPresetForm(PresetForm):
    field_order = ["language"]
    language = language_field()
