"""A text that moderators need often."""

from django import forms
from django.utils.translation import gettext_lazy as _

from moderation.models import ActionKind
from socialsite.web.fields import PlainTextField

ACTIONS = [
    (ActionKind.WARN, _("Warning")),
    (ActionKind.SENSITIVE, _("Covering a post")),
    (ActionKind.HIDE, _("Hiding a post")),
    (ActionKind.LIMIT, _("Limiting an account")),
    (ActionKind.FREEZE, _("Freezing an account")),
    (ActionKind.SUSPEND, _("Suspending an account")),
    (ActionKind.REFUSE, _("Refusing a held post")),
    (ActionKind.DECLINE, _("Declining a sign-up")),
]


class PresetForm(forms.Form):
    action = forms.ChoiceField(label=_("For"), help_text=_("Where it is offered."), choices=ACTIONS)
    title = PlainTextField(label=_("Title"), help_text=_("For moderators."), max_characters=100)
    text = PlainTextField(
        label=_("Text"),
        help_text=_("What the person reads. It can be changed each time."),
        max_characters=500,
        multiline=True,
    )
