"""The forms for a site rule."""

from django import forms
from django.utils.translation import gettext_lazy as _

from moderation.rules.forms.language import language_field
from socialsite.site.default_rules import MINOR, SERIOUS, URGENT
from socialsite.web.fields import PlainTextField

SEVERITIES = [
    (URGENT, _("Urgent: people are in danger")),
    (SERIOUS, _("Serious")),
    (MINOR, _("Minor")),
]


class RuleForm(forms.Form):
    title = PlainTextField(label=_("Rule"), max_characters=100)
    reason = PlainTextField(
        label=_("As a reason for a report"),
        help_text=_(
            "What people choose when they report a breach: “Spam” for the rule “No spam”. "
            "Leave it empty to name the rule itself."
        ),
        max_characters=100,
        required=False,
    )
    text = PlainTextField(
        label=_("What it means"),
        help_text=_("One or two sentences, as you would say them to someone."),
        max_characters=500,
        multiline=True,
    )
    severity = forms.TypedChoiceField(
        label=_("How serious a breach is"),
        help_text=_("Reports take their severity from it. Cases that are open keep theirs."),
        choices=SEVERITIES,
        coerce=int,
        initial=SERIOUS,
    )


class NewRuleForm(RuleForm):
    field_order = ["language"]
    language = language_field()
