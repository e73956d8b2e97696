"""What a new token is called, may do, and when it ends."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.access.scopes import READ_PARTS, WRITE_PARTS, in_words, part_in_words
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.web.fields import PlainTextField

LENGTHS = {"7": 7, "30": 30, "90": 90, "365": 365}  # days
NEVER = "none"
ENDS = [
    ("7", _("In 7 days")),
    ("30", _("In 30 days")),
    ("90", _("In 90 days")),
    ("365", _("In a year")),
    (NEVER, _("When it wasn’t used for 180 days")),
]
WHOLE = ("read", "write", "follow", "profile")  # `push` is for apps on devices
OPEN_FOR, MINUTE = timedelta(days=1), timedelta(minutes=1)  # clocks of two machines differ a little


class TokenForm(forms.Form):
    """Offers what everything is called that a token may do: the wholes first, and parts of them."""

    name = PlainTextField(
        label=_("Name"),
        max_characters=60,
        help_text=_("What it is for, such as “Photo bot”."),
    )
    may = forms.MultipleChoiceField(
        label=_("It may"), required=False, widget=forms.CheckboxSelectMultiple
    )
    reads = forms.MultipleChoiceField(
        label=_("Read only:"), required=False, widget=forms.CheckboxSelectMultiple
    )
    writes = forms.MultipleChoiceField(
        label=_("Change only:"), required=False, widget=forms.CheckboxSelectMultiple
    )
    ends = forms.ChoiceField(label=_("It ends"), choices=ENDS, initial="90")
    nonce = forms.CharField(max_length=ids.LENGTH, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer("may", [(scope, in_words([scope])[0]) for scope in WHOLE])
        for name, scope, parts in (("reads", "read", READ_PARTS), ("writes", "write", WRITE_PARTS)):
            self._offer(name, [(f"{scope}:{part}", part_in_words(part)) for part in parts])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = choices

    def clean_nonce(self) -> str:
        nonce: str = self.cleaned_data["nonce"]
        if not ids.is_id(nonce) or not -MINUTE < utc_now() - ids.time_of(nonce) < OPEN_FOR:
            raise ValidationError(_("Please open this page again."), code="nonce")
        return nonce

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not self.errors and not self._scopes():
            self.add_error("may", _("Choose at least one."))
        return values

    def _scopes(self) -> tuple[str, ...]:
        """Returns what was chosen. A part of a whole that was chosen says nothing more."""
        values = self.cleaned_data
        wholes = tuple(values.get("may", ()))
        parts = (*values.get("reads", ()), *values.get("writes", ()))
        return (*wholes, *(one for one in parts if one.partition(":")[0] not in wholes))

    @property
    def values(self) -> dict[str, Any]:
        """Returns what `make_token` takes."""
        values = self.cleaned_data
        return {
            "name": values["name"],
            "nonce": values["nonce"],
            "scopes": self._scopes(),
            "ends": _end(values["ends"]),
        }

    @property
    def parts_were_chosen(self) -> bool:
        return bool(self["reads"].value() or self["writes"].value())


def _end(chosen: str) -> datetime | None:
    return utc_now() + timedelta(days=LENGTHS[chosen]) if chosen in LENGTHS else None
