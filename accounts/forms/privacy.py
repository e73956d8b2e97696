"""Who may follow, who sees old posts, and whether one is proposed to others."""

from datetime import UTC, date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.cards import PersonCard
from accounts.forms.switch import SWITCH
from socialsite.table import ids

FIRST_YEAR = 2000  # nobody has posted here before


class PrivacyForm(forms.Form):
    """Drawn by hand (`accounts/privacy.html`). `pending` is asked of who unlocks while requests wait."""

    ACCEPT, DECLINE, KEEP = "accept", "decline", "keep"

    locked = forms.BooleanField(
        label=_("Lock my account"),
        help_text=_("You decide who follows you. Those who follow you now stay."),
        required=False,
        widget=SWITCH,
    )
    pending = forms.ChoiceField(
        label=_("Requests that wait when you unlock"),
        choices=[
            (KEEP, _("Keep them, I will answer each")),
            (ACCEPT, _("Accept all")),
            (DECLINE, _("Decline all")),
        ],
        initial=KEEP,
        required=False,
        widget=forms.RadioSelect,
    )
    archived_before = forms.DateField(
        label=_("Lock my archive"),
        help_text=_("Posts from before this day are for your followers only. Empty: for everyone."),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    not_suggested = forms.BooleanField(
        label=_("Do not suggest me to others"),
        help_text=_("You are still found by your name and handle."),
        required=False,
        widget=SWITCH,
    )

    def __init__(self, *args: Any, card: PersonCard | None, **kwargs: Any) -> None:
        kwargs["initial"] = _initial(card) if card else {}
        super().__init__(*args, **kwargs)

    def clean_archived_before(self) -> datetime | None:
        day: date | None = self.cleaned_data["archived_before"]
        if day and day.year < FIRST_YEAR:
            raise ValidationError(_("Choose a day that is not so long ago."), code="early")
        if day and day > timezone.localdate():
            raise ValidationError(_("Choose today or a day before."), code="future")
        return datetime.combine(day, time(), UTC) if day else None


def _initial(card: PersonCard) -> dict[str, Any]:
    edge = card.archived_before
    return {
        "locked": card.is_locked,
        "pending": PrivacyForm.KEEP,
        "archived_before": ids.time_of(edge).date() if edge else None,
        "not_suggested": card.not_suggested,
    }
