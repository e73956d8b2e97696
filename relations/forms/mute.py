"""The form for how long a mute lasts."""

from datetime import timedelta

from django import forms
from django.utils.translation import gettext_lazy as _

LENGTHS = {"1h": timedelta(hours=1), "1d": timedelta(days=1), "7d": timedelta(days=7), "ever": None}


class MuteForm(forms.Form):
    length = forms.ChoiceField(
        label=_("For how long?"),
        choices=[
            ("1h", _("1 hour")),
            ("1d", _("1 day")),
            ("7d", _("7 days")),
            ("ever", _("Until I unmute them")),
        ],
        initial="1d",
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose how long."),
            "invalid_choice": _("Choose how long."),
        },
    )

    def clean_length(self) -> timedelta | None:
        return LENGTHS[self.cleaned_data["length"]]
