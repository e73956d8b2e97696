"""What is held, until when and why."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from privacy.holds.reads import find_target
from privacy.holds.writes import LONGEST_REASON, MOST, Target
from socialsite.table import NotFound
from socialsite.web.fields import PlainTextField


def _day_field() -> forms.DateField:
    return forms.DateField(
        label=_("Until"),
        help_text=_("The last day, at most a year from now."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )


class UntilForm(forms.Form):
    """A later end."""

    until = _day_field()

    def clean_until(self) -> datetime:
        """Returns the end of that day in the person's time zone."""
        day: date = self.cleaned_data["until"]
        today = timezone.localdate()
        if not today <= day < today + MOST:
            raise forms.ValidationError(_("Choose a day within a year."), code="until")
        midnight = timezone.make_aware(datetime.combine(day + timedelta(days=1), time()))
        return midnight.astimezone(UTC)


class HoldForm(UntilForm):
    what = PlainTextField(
        label=_("Account or case"),
        help_text=_("A handle like @alice, or the address of a case."),
        max_characters=200,
    )
    until = _day_field()
    reason = PlainTextField(
        label=_("Reason and reference"),
        help_text=_("The authority, the ground and the number. The person never reads it."),
        max_characters=LONGEST_REASON,
        multiline=True,
    )

    field_order = ("what", "until", "reason")

    def clean_what(self) -> Target:
        try:
            return find_target(self.cleaned_data["what"])
        except NotFound:
            text = _("There is no such account or case.")
            raise forms.ValidationError(text, code="what") from None

    @property
    def values(self) -> dict[str, Any]:
        return {
            "target": self.cleaned_data["what"],
            "until": self.cleaned_data["until"],
            "reason": self.cleaned_data["reason"],
        }
