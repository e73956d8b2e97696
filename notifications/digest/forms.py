"""The form for letters that come regularly."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.mail.choices import DAILY, WEEKLY, LetterChoice
from accounts.people.viewer import Viewer
from accounts.profile.forms import SWITCH
from socialsite.web.preferences import zone_at_hand

DAYS = [
    (0, _("Monday")),
    (1, _("Tuesday")),
    (2, _("Wednesday")),
    (3, _("Thursday")),
    (4, _("Friday")),
    (5, _("Saturday")),
    (6, _("Sunday")),
]
WRONG = {"invalid_choice": _("Choose from the list."), "required": _("Choose from the list.")}


def hours() -> list[tuple[int, str]]:
    """Returns the hours of a day as the language at hand writes them."""
    midnight = timezone.now().replace(hour=0, minute=0)
    return [
        (hour, date_format(midnight.replace(hour=hour), "TIME_FORMAT", use_l10n=True))
        for hour in range(24)
    ]


class LettersForm(forms.Form):
    """What a person wants to be written, and when. Only staff have the letter to the team."""

    digest = forms.ChoiceField(
        label=_("A letter with what you missed"),
        help_text=_(
            "Who answered, wrote to you or followed you, and posts that everyone may see. Nothing new, no letter."
        ),
        choices=[("", _("Never")), (DAILY, _("Every day")), (WEEKLY, _("Every week"))],
        required=False,
        error_messages=WRONG,
    )
    hour = forms.TypedChoiceField(
        label=_("In the hour from"), choices=hours, coerce=int, error_messages=WRONG
    )
    weekday = forms.TypedChoiceField(
        label=_("On (for every week)"), choices=DAYS, coerce=int, error_messages=WRONG
    )
    unread = forms.BooleanField(
        label=_("Write to me about unread messages and answers"),
        help_text=_("When nobody has read them for a day."),
        required=False,
        widget=SWITCH,
    )
    staff = forms.BooleanField(
        label=_("A letter to the team on Mondays"),
        help_text=_("What waits in the queues you see, and what broke on this site."),
        required=False,
        widget=SWITCH,
    )

    def __init__(self, viewer: Viewer, sent: Mapping[str, Any] | None = None) -> None:
        self.before = LetterChoice.from_kept(viewer.letters)
        kept = {name: getattr(self.before, name) for name in self.base_fields}
        super().__init__(sent, initial=kept, auto_id="letters_%s")
        if not viewer.is_staff:
            del self.fields["staff"]

    @property
    def switches(self) -> list[forms.BoundField]:
        return [self[name] for name in ("unread", "staff") if name in self.fields]

    @property
    def choice(self) -> LetterChoice:
        """Returns what was chosen, with the time zone and language of this page."""
        return LetterChoice(**self.cleaned_data, zone=zone_at_hand(), language=get_language() or "")
