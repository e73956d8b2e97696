"""When the site is only read, and what people are told beside the times."""

from datetime import datetime, timedelta

from django import forms
from django.utils.translation import gettext_lazy as _

from socialsite.clock import utc_now
from socialsite.web.fields import PlainTextField

OPEN = "open"
LENGTHS = {"15": 15, "60": 60, "180": 180, "720": 720}  # minutes
MOST_AHEAD = timedelta(days=60)


class ReadOnlyForm(forms.Form):
    begins = forms.DateTimeField(
        label=_("Begins"),
        help_text=_("In your time zone. Leave it empty to begin now."),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )
    lasts = forms.ChoiceField(
        label=_("Lasts"),
        choices=[
            ("15", _("15 minutes")),
            ("60", _("1 hour")),
            ("180", _("3 hours")),
            ("720", _("12 hours")),
            (OPEN, _("Until I end it, at most 20 hours")),
        ],
        initial="60",
    )
    message = PlainTextField(
        label=_("Message"),
        help_text=_("Shown to everyone beside the times."),
        max_characters=300,
        required=False,
    )

    def clean_begins(self) -> datetime | None:
        begins: datetime | None = self.cleaned_data["begins"]
        if begins and not utc_now() - timedelta(minutes=1) <= begins <= utc_now() + MOST_AHEAD:
            raise forms.ValidationError(_("Choose a moment within the next 60 days."), code="when")
        return begins

    @property
    def ends(self) -> datetime | None:
        """Returns the end, None if it is open. Asked once the form is valid."""
        minutes = LENGTHS.get(self.cleaned_data["lasts"])
        if minutes is None:
            return None
        begins = max(self.cleaned_data["begins"] or utc_now(), utc_now())
        return begins + timedelta(minutes=minutes)
