"""A photo that is sent, and what is said about it; the photos that are chosen for a post or a message: how many it has
at most, and how much can be said about each. How large one may be: `socialsite/pictures/limits.py`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from photos.models import Photo
from socialsite.pictures.limits import (
    LONGEST_SHAPE,
    MEGABYTES,
    MEGAPIXELS,
    MEGAPIXELS_OF_A_JPEG,
    MOST_BYTES,
)
from socialsite.table import ids
from socialsite.web.fields import PlainTextField

MOST_PHOTOS = 4  # of a post or a message
DESCRIPTION_CHARACTERS = 2_000  # as people count them
DESCRIPTION_BYTES = 3_000  # in UTF-8, so that a photo stays an item of 4 KB

ACCEPTED = "image/jpeg,image/png,image/webp,image/gif"  # without HEIC, iPhones hand over JPEG
REFUSALS = {
    "bytes": format_lazy(
        _("This photo is larger than {megabytes} MB. Choose a smaller one."), megabytes=MEGABYTES
    ),
    "heic": _(
        "This photo is in the HEIC format, which most browsers can’t show. Send it as a JPEG: on an iPhone, choose "
        "Settings, Camera, Formats, Most Compatible, or take a screenshot of the photo."
    ),
    "kind": _("This isn’t a photo we can show. Choose a JPEG, PNG, WebP or GIF."),
    "pixels": format_lazy(
        _(
            "This photo has too many pixels. A JPEG can have up to {jpeg} million, other photos up to {other} million. "
            "And a photo can be up to {longest} times as long as it is wide."
        ),
        jpeg=MEGAPIXELS_OF_A_JPEG,
        other=MEGAPIXELS,
        longest=LONGEST_SHAPE,
    ),
    "blocked": _("This photo can’t be used here. Choose another one."),
    "damaged": _("We couldn’t read this photo, as the file is damaged. Save it again as a JPEG."),
}


class DescriptionForm(forms.Form):
    description = PlainTextField(
        label=_("Description"),
        help_text=_("For people who can’t see the photo."),
        max_characters=DESCRIPTION_CHARACTERS,
        max_bytes=DESCRIPTION_BYTES,
        multiline=True,
        required=False,
    )


class UploadForm(DescriptionForm):
    """One file. `photo_id` comes from scripts, so that sending it twice makes one photo."""

    photo = forms.FileField(
        label=_("Photo"),
        help_text=format_lazy(
            _("JPEG, PNG, WebP or GIF, up to {megabytes} MB."), megabytes=MEGABYTES
        ),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        error_messages={"required": _("Choose a photo."), "empty": REFUSALS["damaged"]},
    )
    photo_id = forms.CharField(max_length=26, required=False, widget=forms.HiddenInput)

    field_order = ("photo", "description")

    def clean_photo(self) -> UploadedFile:
        upload: UploadedFile = self.cleaned_data["photo"]
        if (upload.size or 0) > MOST_BYTES:
            raise ValidationError(REFUSALS["bytes"], code="bytes")
        return upload


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


class ChosenPhotosForm(forms.Form):
    """The photos of a post or a message, at most four. Ids with their descriptions come first, then files with theirs.

    `wished` are the photos of a form that was sent, also where it is refused: `feed/composing/composer.py` makes photos
    of the files and shows all as `tiles`, so that nothing has to be chosen again. It puts the ids into `cleaned_data`,
    as the service takes them.
    """

    photo_bytes, photo_megabytes = MOST_BYTES, MEGABYTES  # at most, for the page and its script
    twice = _("A photo can be in a post only once.")
    too_many = _("A post has room for %(n)d photos. We kept the first %(n)d.")

    photos = SeveralField(label=_("Photos"), widget=SeveralFilesInput, required=False)
    descriptions = SeveralField(required=False)
    photo = SeveralField(required=False)
    description = SeveralField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wished: Sequence[Wished] = ()
        self.tiles: Sequence[Tile] = ()
        self.taken: tuple[str, ...] = ()  # the ids, once they were taken
        self.enclosed: Sequence[Photo] = ()  # the same photos
        self.said_of_photos = ""  # of a form that was not sent

    @property
    def open_places(self) -> range:
        """Returns the numbers of the photos that can still be added."""
        return range(len(self.tiles) + 1, MOST_PHOTOS + 1)

    def clean(self) -> dict[str, Any]:
        """Returns `photos`, the ids, instead of the four fields."""
        values = dict(super().clean() or {})
        chosen, files, texts, other_texts = (
            values.pop(name, []) for name in ("photo", "photos", "description", "descriptions")
        )
        named = [one for one in dict.fromkeys(chosen) if ids.is_id(one)]
        if len(chosen) > len(set(chosen)):
            self.add_error("photos", self.twice)
        if len(named) < len(set(chosen)):
            self.add_error("photos", _("A photo is no longer there. Add it again."))
        if len(named) + len(files) > MOST_PHOTOS:
            self.add_error("photos", self.too_many % {"n": MOST_PHOTOS})
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
