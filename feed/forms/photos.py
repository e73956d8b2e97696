"""The photos of a post, in the composer: files that come with the form, and photos that were uploaded before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from feed.forms.wordless import WordlessForm
from photos.limits import DESCRIPTION_BYTES, DESCRIPTION_CHARACTERS, MOST_PHOTOS
from socialsite.pictures.limits import MEGABYTES, MOST_BYTES
from socialsite.table import ids
from socialsite.web.fields import PlainTextField


@dataclass(frozen=True, slots=True)
class Wished:
    """A photo that the form names. Either it was uploaded before and has an id, or its file came with the form.
    `error` says what is wrong with its description, which is then as it was typed."""

    description: str
    error: str = ""
    photo_id: str = ""
    upload: UploadedFile | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """A photo as the composer shows it."""

    photo_id: str
    preview_url: str
    width: int
    height: int
    description: str
    error: str = ""


class SeveralInput(forms.Widget):
    """Reads all values of a name, in their order."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Any]:
        if hasattr(data, "getlist"):
            return list(data.getlist(name))
        return [data[name]] if name in data else []


class SeveralFilesInput(SeveralInput):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Any]:
        return super().value_from_datadict(files or {}, None, name)


class SeveralField(forms.Field):
    """Values of one name."""

    widget = SeveralInput

    def clean(self, value: Any) -> list[Any]:
        return list(value or [])


class PhotosForm(WordlessForm):
    """The photos of a post, at most four. Ids with their descriptions come first, then files with theirs.

    `wished` are the photos of a form that was sent, also where it is refused: `feed/photos/taking.py` makes photos of
    the files and shows all as `tiles`, so that nothing has to be chosen again. It puts the ids into `cleaned_data`, as
    the service takes them.
    """

    photo_bytes, photo_megabytes = MOST_BYTES, MEGABYTES  # at most, for the page and its script

    photos = SeveralField(label=_("Photos"), widget=SeveralFilesInput, required=False)
    descriptions = SeveralField(required=False)
    photo = SeveralField(required=False)
    description = SeveralField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wished: Sequence[Wished] = ()
        self.tiles: Sequence[Tile] = ()
        self.taken: tuple[str, ...] = ()  # the ids, once they were taken
        self.said_of_photos = ""  # of a form that was not sent

    @property
    def open_places(self) -> range:
        """Returns the numbers of the photos that can still be added."""
        return range(len(self.tiles) + 1, MOST_PHOTOS + 1)

    def carries(self, values: Mapping[str, Any]) -> bool:
        return bool(values.get("photo") or values.get("photos")) or super().carries(values)

    def clean(self) -> dict[str, Any]:
        """Returns `photos`, the ids, instead of the four fields."""
        values = dict(super().clean() or {})
        chosen, files, texts, other_texts = (
            values.pop(name, []) for name in ("photo", "photos", "description", "descriptions")
        )
        named = [one for one in dict.fromkeys(chosen) if ids.is_id(one)]
        if len(chosen) > len(set(chosen)):
            self.add_error("photos", _("A photo can be in a post only once."))
        if len(named) < len(set(chosen)):
            self.add_error("photos", _("A photo is no longer there. Add it again."))
        if len(named) + len(files) > MOST_PHOTOS:
            self.add_error("photos", _too_many())
        described = dict(zip(chosen, _padded(texts, chosen), strict=False))
        wished = [_wished(described[one], photo_id=one) for one in named]
        wished += [
            _wished(text, upload=file)
            for file, text in zip(files, _padded(other_texts, files), strict=False)
        ]
        self.wished = wished[:MOST_PHOTOS]
        if any(one.error for one in self.wished):
            self.add_error("photos", _("Look at the descriptions of your photos again."))
        return values | {"photos": tuple(named)}


def _padded(texts: Sequence[str], others: Sequence[Any]) -> list[str]:
    return [*texts, *[""] * len(others)]


def _wished(text: str, **photo: Any) -> Wished:
    field = PlainTextField(
        max_characters=DESCRIPTION_CHARACTERS,
        max_bytes=DESCRIPTION_BYTES,
        multiline=True,
        required=False,
    )
    try:
        return Wished(description=field.clean(text), **photo)
    except ValidationError as error:
        return Wished(description=str(text), error=" ".join(error.messages), **photo)


def _too_many() -> str:
    return _("A post has room for %(n)d photos. We kept the first %(n)d.") % {"n": MOST_PHOTOS}
