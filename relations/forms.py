"""The forms for privacy, for a circle's name, for a friend's circles and the private note about them, and for how
long a mute lasts; the choice of pronouns to filter by."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import PersonCard
from accounts.people.viewer import LONGEST_CIRCLE, MOST_CIRCLES, Circle, find_circle
from accounts.profile.forms import SWITCH
from relations.filters import Pronoun
from relations.relation import LONGEST_NOTE
from socialsite.table import ids
from socialsite.web.fields import PlainTextField

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
        help_text=_(
            "Explore shows neither you nor your posts. People can still find you by name or handle."
        ),
        required=False,
        widget=SWITCH,
    )

    topics = forms.BooleanField(
        label=_("Suggest topics by what people I know follow"),
        help_text=_(
            "The tags you follow count for them, too, without your name. When this is off, you get no "
            "such suggestions, and yours don’t count."
        ),
        required=False,
        widget=SWITCH,
    )
    packs = forms.BooleanField(
        label=_("Let others put me in starter packs"),
        help_text=_(
            "A starter pack is a list of people that others can follow with one press. When this is "
            "off, you’re in none."
        ),
        required=False,
        widget=SWITCH,
    )
    shows_level = forms.BooleanField(
        label=_("Show my level on my profile"),
        help_text=_("Friends can also filter by it. Account status says which level you have."),
        required=False,
        widget=SWITCH,
    )
    searched = forms.BooleanField(
        label=_("Let people find my posts by their words"),
        help_text=_("Your posts for everyone, in the search on this site. Tags work either way."),
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
        "topics": not card.no_topics,
        "packs": not card.no_packs,
        "shows_level": card.shows_level,
        "searched": not card.not_searched,
        "indexed": not card.not_indexed,
    }


TOO_MANY = _("You have 50 circles. That is the limit.")


class CircleForm(forms.Form):
    """Names a new circle, or renames an existing one."""

    name = PlainTextField(
        label=_("Name"),
        help_text=_("A name such as Family. Only you see it."),
        max_characters=LONGEST_CIRCLE,
        error_messages={"required": _("Enter a name.")},
    )


class CirclesForm(forms.Form):
    """Offers the person's circles, and a field for a new one."""

    circles = forms.MultipleChoiceField(
        label=_("Circles"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": _("One of these circles no longer exists. Choose again.")
        },
    )
    new_circle = PlainTextField(
        label=_("New circle"),
        help_text=_("For example, Family. You can post to just one circle."),
        max_characters=LONGEST_CIRCLE,
        required=False,
    )
    note = PlainTextField(
        label=_("Private note"),
        help_text=_("Only you can see this."),
        max_characters=LONGEST_NOTE,
        multiline=True,
        required=False,
    )

    def __init__(self, *args: Any, existing: Collection[Circle], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.existing = existing
        offered = self.fields["circles"]
        assert isinstance(offered, forms.MultipleChoiceField)
        offered.choices = [(circle.circle_id, circle.name) for circle in existing]

    def clean_new_circle(self) -> str:
        name: str = self.cleaned_data["new_circle"]
        if name and not self.known and len(self.existing) >= MOST_CIRCLES:
            raise ValidationError(TOO_MANY, code="many")
        return name

    @property
    def known(self) -> str:
        """Returns the id of the circle that already has the new name, empty if none has."""
        return find_circle(self.existing, self.cleaned_data["new_circle"])


# The fixed choice of the filters, whatever languages people wrote their pronouns in.
PRONOUNS = {
    Pronoun.SHE: _("she/her"),
    Pronoun.HE: _("he/him"),
    Pronoun.THEY: _("they/them"),
}

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
