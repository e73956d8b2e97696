"""Which part of the audit log to show."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.access_patterns import find_user_by_handle
from moderation.audit.entries import first_day
from socialsite.table.errors import NotFound
from socialsite.web.fields import PlainTextField

HANDLE_MAX_CHARACTERS = 31  # with its @


class HandleField(PlainTextField):
    """A handle, with or without its @, that becomes a person's id. A former one does too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_characters=HANDLE_MAX_CHARACTERS, **kwargs)
        self.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false", "dir": "ltr"}

    def clean(self, value: Any) -> str:
        handle = str(super().clean(value)).removeprefix("@").lower()
        try:
            return find_user_by_handle(handle, or_former=True) if handle else ""
        except NotFound as error:
            raise ValidationError(
                _("Nobody has this handle. Check the spelling."), code="nobody"
            ) from error


class LogForm(forms.Form):
    """`months` are those that the log covers, newest first."""

    month = forms.ChoiceField(label=_("Month"))
    moderator = HandleField(label=_("Done by"), required=False)
    person = HandleField(label=_("Done to"), required=False)

    def __init__(self, *args: Any, months: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["month"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (month, date_format(first_day(month), "YEAR_MONTH_FORMAT")) for month in months
        ]
