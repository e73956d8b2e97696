"""A photo that is sent, and what is said about it: how many photos a post has at most, and how much can be said about
each. How large one may be: `socialsite/pictures/limits.py`."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from socialsite.pictures.limits import (
    LONGEST_SHAPE,
    MEGABYTES,
    MEGAPIXELS,
    MEGAPIXELS_OF_A_JPEG,
    MOST_BYTES,
)
from socialsite.web.fields import PlainTextField

MOST_PHOTOS = 4  # of a post
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
