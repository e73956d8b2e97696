"""What a moderator looks for in someone's posts or in a thread, and the posts that they tick."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.timezone import make_aware
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.people.reads import find_user_by_handle
from moderation.conduct.reads import Asked, SeenPost
from moderation.conduct.writes import MOST_AT_ONCE
from socialsite.table import NotFound
from socialsite.web.fields import PlainTextField

DAY = {"min": "2000-01-01", "max": "2100-01-01"}


def day_field(label: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", **DAY})
    return forms.DateField(
        label=label,
        required=False,
        widget=widget,
        error_messages={"invalid": _("Write the day like this: 2026-11-30.")},
    )


class LookForm(forms.Form):
    """The filter. What is wrong stands beside its field, and then everything shows."""

    word = PlainTextField(label=_("Word"), max_characters=100, required=False)
    to = PlainTextField(
        label=_("Answers to"), help_text=_("A handle."), max_characters=60, required=False
    )
    since = day_field(_("From"))
    until = day_field(_("Until"))

    answered_id = ""

    def clean_to(self) -> str:
        handle = str(self.cleaned_data["to"]).strip().removeprefix("@").lower()
        if handle:
            try:
                self.answered_id = find_user_by_handle(handle, or_former=True)
            except NotFound:
                raise ValidationError(_("There is nobody with this handle.")) from None
        return handle

    def _clean_day(self, name: str) -> date | None:
        day: date | None = self.cleaned_data[name]
        if day and not 2000 <= day.year < 2100:
            raise ValidationError(_("Choose a day of this century."))
        return day

    def clean_since(self) -> date | None:
        return self._clean_day("since")

    def clean_until(self) -> date | None:
        return self._clean_day("until")

    @property
    def asked(self) -> Asked:
        """Returns what is looked for, everything if the form has errors. Days are those of the reader."""
        if not self.is_valid():
            return Asked()
        since, until = self.cleaned_data["since"], self.cleaned_data["until"]
        return Asked(
            word=self.cleaned_data["word"],
            since=_start_of(since) if since else None,
            until=_start_of(until + timedelta(days=1)) if until else None,
            answered_id=self.answered_id,
        )

    @property
    def query(self) -> dict[str, str]:
        """Returns the filter as it stands in addresses."""
        return {name: value for name in self.fields if (value := str(self.data.get(name, "")))}


def _start_of(day: date) -> datetime:
    return make_aware(datetime.combine(day, time()))


class TakeInForm(forms.Form):
    """The ticked posts, each as `<id>.<version>`."""

    posts = forms.Field(required=False)

    def __init__(self, *args: Any, ticked: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ticked = ticked

    def clean_posts(self) -> list[SeenPost]:
        if not self.ticked:
            raise ValidationError(_("Choose at least one post."))
        if len(self.ticked) > MOST_AT_ONCE:
            raise ValidationError(
                ngettext("Choose at most %(n)d post.", "Choose at most %(n)d posts.", MOST_AT_ONCE)
                % {"n": MOST_AT_ONCE}
            )
        seen = {one.post_id: one for one in map(SeenPost.read, self.ticked) if one}
        if len(seen) != len(self.ticked):
            raise ValidationError(_("One of these posts is no longer offered. Choose again."))
        return list(seen.values())
