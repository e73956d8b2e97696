"""How long a post stays."""

from django import forms
from django.utils.translation import gettext_lazy as _

CHOICES = [
    ("", _("Stays for good")),
    ("1h", _("Disappears after 1 hour")),
    ("1d", _("Disappears after 1 day")),
    ("1w", _("Disappears after 1 week")),
]


class ExpiryForm(forms.Form):
    """Whether a post that is published disappears by itself."""

    expires_in = forms.ChoiceField(
        label=_("How long it stays"),
        choices=CHOICES,
        required=False,
        error_messages={"invalid_choice": _("Choose how long your post stays.")},
    )
