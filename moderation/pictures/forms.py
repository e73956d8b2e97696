"""The forms about illegal pictures: lists of hashes, what to do in a country, and after how many pictures a break is
suggested."""

import hashlib
from typing import Any

from babel import Locale
from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from socialsite.blocked_pictures.lists import MOST_ROWS_OF_A_PAGE, BadList, Hash, hash_of, read_list
from socialsite.web.fields import PlainTextField

MOST_BYTES = 1_000_000  # of a list that a page takes; the command takes more


def pause_field() -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Pictures before a break"),
        help_text=_(
            "After so many reported pictures on one day, moderators are asked to take a break. Enter 0 for never."
        ),
        min_value=0,
        max_value=1000,
    )


class ImportForm(forms.Form):
    """A list of hashes. `rows` are what it has, `sha256` that of the file."""

    file = forms.FileField(
        label=_("List of hashes"),
        help_text=_("A CSV file with columns named sha256, md5 or pdq. Others are left out."),
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
    )

    def clean_file(self) -> UploadedFile:
        upload: UploadedFile = self.cleaned_data["file"]
        if (upload.size or 0) > MOST_BYTES:
            raise ValidationError(
                _("This list is too large for this page. The command blocked_pictures takes it.")
            )
        content = upload.read()
        try:
            self.rows: list[Hash] = read_list(content, most=MOST_ROWS_OF_A_PAGE)
        except BadList as error:
            raise ValidationError(str(error), code="list") from error
        self.sha256 = hashlib.sha256(content).hexdigest()
        return upload


class UnblockForm(forms.Form):
    value = forms.CharField(
        label=_("Hash"),
        help_text=_("Its 64 or 32 letters and digits."),
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_value(self) -> list[Hash]:
        found = hash_of(self.cleaned_data["value"])
        if not found:
            raise ValidationError(
                _("This is no hash. It has 64 or 32 digits from 0 to 9 and a to f.")
            )
        return found


class ProcedureForm(forms.Form):
    text = PlainTextField(
        label=_("What to do"),
        help_text=_(
            "Whom to tell, and how. Addresses become links. Leave it empty for the text that was here first."
        ),
        max_characters=3000,
        max_bytes=3500,
        multiline=True,
        required=False,
    )


class NewProcedureForm(forms.Form):
    country = forms.CharField(
        label=_("Country"), help_text=_("Two letters, such as DE."), min_length=2, max_length=2
    )

    def clean_country(self) -> str:
        return known_country(self.cleaned_data["country"])


def known_country(code: Any) -> str:
    """Returns the two letters of a country. Raises `ValidationError` if there is none."""
    country = str(code).upper()
    if len(country) != 2 or country not in Locale("en").territories:
        raise ValidationError(_("There is no country with these letters."))
    return country
