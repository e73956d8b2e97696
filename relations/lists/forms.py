"""The forms of lists and starter packs. The words of a starter pack are for everyone, so word filters check them."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.profile.forms import allowed
from relations.lists.reads import OwnList
from relations.lists.writes import MOST_LISTS
from socialsite.web.fields import PlainTextField

LONGEST_NAME = 30
TOO_MANY = _("You have 20 lists. That is the limit.")
EXISTS = _("You already have a list with this name.")
FULL = _("A list can have up to 200 people.")
TOO_MANY_TABS = _("Up to 5 lists can stand beside Home’s tabs.")
EVERYONE_SEES = _("Everyone can see who is in a starter pack.")
TOO_MANY_NOT_IN_HOME = _("Lists that aren’t in Home can have up to 200 people together.")


class ListForm(forms.Form):
    """Names a new list."""

    name = PlainTextField(
        label=_("Name"),
        help_text=_("A name such as Bakers. Only you see it."),
        max_characters=LONGEST_NAME,
        error_messages={"required": _("Enter a name.")},
    )


class EditListForm(ListForm):
    """What a list is called, and where it shows."""

    is_tab = forms.BooleanField(label=_("Show it beside Home’s tabs"), required=False)
    not_home = forms.BooleanField(
        label=_("Keep its people out of Home"),
        help_text=_(
            "What they post and repost shows in this list only. What others repost of theirs still "
            "comes into Home."
        ),
        required=False,
    )


class AddPersonForm(forms.Form):
    """Adds a person by their handle."""

    handle = PlainTextField(
        label=_("Add a person"),
        help_text=_("Their handle, such as @alice. We won’t tell them."),
        max_characters=60,
        error_messages={"required": _("Enter a handle.")},
        widget=forms.TextInput(
            attrs={"dir": "ltr", "autocapitalize": "none", "autocomplete": "off"}
        ),
    )

    def clean_handle(self) -> str:
        return str(self.cleaned_data["handle"]).lstrip("@").lower()


class PackForm(forms.Form):
    """What others read of a starter pack."""

    title = PlainTextField(
        label=_("Title"), max_characters=60, error_messages={"required": _("Enter a title.")}
    )
    about = PlainTextField(
        label=_("Who is in it"), max_characters=300, multiline=True, required=False
    )

    def clean_title(self) -> str:
        return allowed(self.cleaned_data["title"])

    def clean_about(self) -> str:
        return allowed(self.cleaned_data["about"])


class PersonListsForm(forms.Form):
    """Offers the viewer's lists, and a field for a new one."""

    lists = forms.MultipleChoiceField(
        label=_("Lists"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("One of these lists no longer exists. Choose again.")},
    )
    new_list = PlainTextField(
        label=_("New list"),
        help_text=_("For example, Bakers. Only you see it."),
        max_characters=LONGEST_NAME,
        required=False,
    )

    def __init__(self, *args: Any, existing: Collection[OwnList], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.existing = existing
        offered = self.fields["lists"]
        assert isinstance(offered, forms.MultipleChoiceField)
        offered.choices = [(one.list_id, one) for one in existing]  # as its label

    def clean_new_list(self) -> str:
        name: str = self.cleaned_data["new_list"]
        known = name.casefold() in {one.name.casefold() for one in self.existing}
        if name and not known and len(self.existing) >= MOST_LISTS:
            raise ValidationError(TOO_MANY, code="many")
        return name
