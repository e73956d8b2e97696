"""The form for a template: a message that moderators need often."""

from django import forms
from django.utils.translation import gettext_lazy as _

from moderation.models import ActionKind
from moderation.rules.forms.language import language_field
from socialsite.web.fields import PlainTextField

ACTIONS = [
    (ActionKind.WARN, _("Warning")),
    (ActionKind.SENSITIVE, _("Marking a post as sensitive")),
    (ActionKind.HIDE, _("Hiding a post")),
    (ActionKind.RESET, _("Resetting a profile")),
    (ActionKind.LIMIT, _("Limiting an account")),
    (ActionKind.FREEZE, _("Freezing an account")),
    (ActionKind.SUSPEND, _("Suspending an account")),
    (ActionKind.REFUSE, _("Rejecting a held post")),
    (ActionKind.DECLINE, _("Declining a sign-up")),
]


class PresetForm(forms.Form):
    action = forms.ChoiceField(
        label=_("Use for"), help_text=_("The decision this template is for."), choices=ACTIONS
    )
    title = PlainTextField(
        label=_("Title"), help_text=_("Only moderators see this."), max_characters=100
    )
    text = PlainTextField(
        label=_("Message"),
        help_text=_("What the person will read. You can add your own words each time."),
        max_characters=500,
        multiline=True,
    )


class NewPresetForm(PresetForm):
    field_order = ["language"]
    language = language_field()
