"""The form for privacy: who may follow, who sees old posts, and whether others get the person suggested and search
engines list them."""

from datetime import UTC, date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.cards import PersonCard
from accounts.forms.switch import SWITCH
from socialsite.table import ids

FIRST_YEAR = 2000  # no post is older than this


class PrivacyForm(forms.Form):
    """The template (`relations/privacy.html`) draws the fields itself. `pending` asks what to do with waiting requests
    when the account is unlocked."""

    ACCEPT, DECLINE, KEEP = "accept", "decline", "keep"

    locked = forms.BooleanField(
        label=_("Lock my account"),
        help_text=_("You approve each new follower. People who already follow you stay."),
        required=False,
        widget=SWITCH,
    )
    pending = forms.ChoiceField(
        label=_("Requests still waiting when you unlock"),
        choices=[
            (KEEP, _("Keep them until I decide")),
            (ACCEPT, _("Accept all")),
            (DECLINE, _("Decline all")),
        ],
        initial=KEEP,
        required=False,
        widget=forms.RadioSelect,
    )
    archived_before = forms.DateField(
        label=_("Show my older posts to followers only"),
        help_text=_(
            "Only your followers can see posts from before this day, while it stands here. Leave it "
            "empty to show them as before."
        ),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    not_suggested = forms.BooleanField(
        label=_("Don’t suggest me to others"),
        help_text=_("People can still find you by name or handle."),
        required=False,
        widget=SWITCH,
    )

    indexed = forms.BooleanField(
        label=_("Let search engines show my profile and posts"),
        help_text=_(
            "If this is off, we ask search engines to leave them out. We always do that for a "
            "locked account."
        ),
        required=False,
        widget=SWITCH,
    )

    def __init__(self, *args: Any, card: PersonCard | None, **kwargs: Any) -> None:
        kwargs["initial"] = _initial(card) if card else {}
        super().__init__(*args, **kwargs)

    def clean_archived_before(self) -> datetime | None:
        day: date | None = self.cleaned_data["archived_before"]
        if day and day.year < FIRST_YEAR:
            raise ValidationError(_("Choose a more recent day."), code="early")
        if day and day > timezone.localdate():
            raise ValidationError(_("Choose today or an earlier day."), code="future")
        return datetime.combine(day, time(), UTC) if day else None


def _initial(card: PersonCard) -> dict[str, Any]:
    edge = card.archived_before
    return {
        "locked": card.is_locked,
        "pending": PrivacyForm.KEEP,
        "archived_before": ids.time_of(edge).date() if edge else None,
        "not_suggested": card.not_suggested,
        "indexed": not card.not_indexed,
    }
