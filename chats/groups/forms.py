"""What people type to found a group, to name it, and to invite others."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from chats.forms import ID
from socialsite.table import ids
from socialsite.web.fields import PlainTextField

MOST_INVITED = 9
TITLE_CHARACTERS = 50
HANDLE = re.compile(r"[a-z0-9_]{3,30}")
BETWEEN = re.compile(r"[\s,;]+")


def title_field() -> PlainTextField:
    return PlainTextField(
        label=_("Name of the group"),
        max_characters=TITLE_CHARACTERS,
        error_messages={"required": _("Give the group a name.")},
    )


class NameForm(forms.Form):
    title = title_field()


class InviteForm(forms.Form):
    """Whom to invite: `chosen` from the people that the page offers, and others by `handles`."""

    handles = forms.CharField(
        label=_("People by their handle"),
        required=False,
        max_length=400,
        help_text=_("With a space between, such as @alice @bob."),
    )

    def __init__(self, *args: Any, chosen: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chosen = [one for one in chosen if HANDLE.fullmatch(one)]
        self.fields["handles"].widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}

    @property
    def people(self) -> list[str]:
        """Returns the handles of everyone who is to be invited."""
        return list(dict.fromkeys([*self.chosen, *self.cleaned_data.get("handles", ())]))

    def clean_handles(self) -> list[str]:
        typed = [one for one in BETWEEN.split(self.cleaned_data["handles"].strip()) if one]
        handles = [one.removeprefix("@").lower() for one in typed]
        for one, handle in zip(typed, handles, strict=True):
            if not HANDLE.fullmatch(handle):
                raise ValidationError(_("“%(one)s” is no handle.") % {"one": one})
        return handles

    def clean(self) -> None:
        if len(self.people) > MOST_INVITED:
            text = ngettext(
                "A group has at most ten people. Choose %(n)d other.",
                "A group has at most ten people. Choose up to %(n)d others.",
                MOST_INVITED,
            )
            self.add_error("handles", text % {"n": MOST_INVITED})


class FoundForm(InviteForm):
    """A new group. `nonce` becomes its id, so that sending the form twice founds one."""

    title = title_field()
    nonce = forms.RegexField(
        ID,
        widget=forms.HiddenInput,
        max_length=26,
        error_messages={"invalid": _("This form has expired. Reload the page and try again.")},
    )
    field_order = ("title", "handles", "nonce")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"nonce": ids.new_id()} | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)

    def clean(self) -> None:
        super().clean()
        if not self.people and "handles" not in self.errors:
            self.add_error("handles", _("Choose at least one person."))
