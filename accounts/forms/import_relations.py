"""A list from another site or another account."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.csv_files import MOST_BYTES, BadFile, FileKind, read_file, too_large


class ImportForm(forms.Form):
    """Drawn by hand (`accounts/data.html`); `rows` are what the file says."""

    kind = forms.ChoiceField(
        label=_("What is in it"),
        choices=[
            (FileKind.FOLLOWS.value, _("Follows")),
            (FileKind.BLOCKS.value, _("Blocks")),
            (FileKind.MUTES.value, _("Mutes")),
            (FileKind.CIRCLES.value, _("Circles")),
        ],
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose what the file is a list of."),
            "invalid_choice": _("Choose what the file is a list of."),
        },
    )
    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV, as this site and Mastodon write it. Up to 1 MB and 5,000 rows."),
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        upload = values.get("file")
        if upload and "kind" in values:
            try:
                if upload.size > MOST_BYTES:
                    raise too_large()
                values["rows"] = read_file(FileKind(values["kind"]), upload.read())
            except BadFile as error:
                self.add_error("file", str(error))
        return values
