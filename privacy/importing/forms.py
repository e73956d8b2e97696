"""The form with which people bring files: one field for each file that Mastodon gives them. A file is read here, so
what is wrong with it stands beside its field."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from accounts.people.viewer import Viewer
from feed.posts.content_checks import is_newcomer
from privacy.importing import archive, csv_files
from privacy.importing.csv_files import Unreadable, read_csv
from privacy.importing.lines import Line
from privacy.importing.outcomes import TITLES, FileKind

MOST_BYTES = archive.MOST_BYTES + 5 * csv_files.MOST_BYTES
CSV = {"accept": ".csv,text/csv"}
JSON = {"accept": ".json,application/json"}


def _file(kind: FileKind, help_text: Any, accept: dict[str, str]) -> forms.FileField:
    label: Any = TITLES[kind]
    return forms.FileField(
        label=label,
        help_text=help_text,
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs=accept),
    )


class ImportForm(forms.Form):
    """`lines` are what the files hold, by their kind."""

    following_accounts = _file(FileKind.FOLLOWS, _("following_accounts.csv"), CSV)
    blocked_accounts = _file(FileKind.BLOCKS, _("blocked_accounts.csv"), CSV)
    muted_accounts = _file(FileKind.MUTES, _("muted_accounts.csv"), CSV)
    lists = _file(FileKind.LISTS, _("lists.csv"), CSV)
    bookmarks = _file(
        FileKind.BOOKMARKS,
        _("bookmarks.csv. They are links to other sites, so they stay behind."),
        CSV,
    )
    outbox = _file(FileKind.POSTS, _("outbox.json, which is in your archive"), JSON)

    def __init__(self, *args: Any, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.viewer = viewer
        self.lines: dict[FileKind, list[Line]] = {}

    def clean(self) -> dict[str, Any]:
        values = dict(super().clean() or {})
        uploads = {kind: values.get(kind.value) for kind in FileKind}
        for kind, upload in uploads.items():
            if upload:
                try:
                    self.lines[kind] = self._read(kind, upload)
                except Unreadable as error:
                    self.add_error(kind.value, ValidationError(str(error)))
        if not any(uploads.values()) and not self.errors:
            raise ValidationError(_("Choose a file."))
        return values

    def _read(self, kind: FileKind, upload: UploadedFile) -> list[Line]:
        if kind != FileKind.POSTS:
            if (upload.size or 0) > csv_files.MOST_BYTES:
                raise Unreadable(csv_files.TOO_LARGE)
            return read_csv(kind, upload.read())
        if (upload.size or 0) > archive.MOST_BYTES:
            raise Unreadable(archive.TOO_LARGE)
        if is_newcomer(self.viewer):
            raise Unreadable(
                _("Moderators still look at your first posts here. Bring the others after that.")
            )
        return archive.read_archive(upload.read(), user_id=self.viewer.user_id)
