"""The forms for saving a post, and for a folder's name."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from feed.saved.reads import LONGEST_FOLDER, MOST_FOLDERS, Folder, find_folder
from socialsite.web.fields import PlainTextField

LONGEST_NOTE = 500  # characters
TOO_MANY = _("You have 20 folders. That is the limit.")


class SaveForm(forms.Form):
    """Offers the person's folders, and a field for a new one, which wins."""

    folder = forms.ChoiceField(
        label=_("Folder"),
        required=False,
        error_messages={"invalid_choice": _("This folder no longer exists. Choose another one.")},
    )
    new_folder = PlainTextField(
        label=_("New folder"),
        help_text=_("For example, Recipes."),
        max_characters=LONGEST_FOLDER,
        required=False,
    )
    note = PlainTextField(
        label=_("Private note"),
        help_text=_("Only you can see this."),
        max_characters=LONGEST_NOTE,
        multiline=True,
        required=False,
    )

    def __init__(self, *args: Any, folders: Sequence[Folder], **kwargs: Any) -> None:
        # The dialog stands on pages that have forms of their own.
        kwargs["auto_id"] = "save_%s"
        super().__init__(*args, **kwargs)
        self.folders = folders
        offered = self.fields["folder"]
        assert isinstance(offered, forms.ChoiceField)
        offered.choices = [("", _("No folder")), *folders]
        self.fields["note"].widget.attrs |= {"rows": 3}

    def clean_new_folder(self) -> str:
        name: str = self.cleaned_data["new_folder"]
        known = find_folder(dict(self.folders), name)
        if name and not known and len(self.folders) >= MOST_FOLDERS:
            raise ValidationError(TOO_MANY, code="many")
        return name


class FolderForm(forms.Form):
    """Renames a folder."""

    name = PlainTextField(
        label=_("Name"),
        max_characters=LONGEST_FOLDER,
        error_messages={"required": _("Enter a name.")},
    )
