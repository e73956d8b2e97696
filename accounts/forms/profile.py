"""What people say about themselves, on their profile and in the first steps."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.forms.allowed import allowed
from socialsite.pictures.limits import MEGABYTES, MOST_BYTES
from socialsite.web.fields import PlainTextField


class ProfileForm(forms.Form):
    name = PlainTextField(label=_("Display name"), max_characters=50)
    bio = PlainTextField(label=_("About you"), max_characters=500, multiline=True, required=False)
    gender = PlainTextField(
        label=_("Pronouns"),
        help_text=_("How others should refer to you, such as she/her."),
        max_characters=30,
        required=False,
    )
    location = PlainTextField(label=_("Location"), max_characters=60, required=False)
    avatar = forms.FileField(
        label=_("Picture"),
        required=False,
        help_text=format_lazy(
            _("JPEG, PNG or WebP, up to {megabytes} MB. We’ll crop it to a square."),
            megabytes=MEGABYTES,
        ),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    remove_avatar = forms.BooleanField(label=_("Remove picture"), required=False)
    header = forms.FileField(
        label=_("Header picture"),
        required=False,
        help_text=format_lazy(
            _("JPEG, PNG or WebP, up to {megabytes} MB. We’ll crop it to a wide strip."),
            megabytes=MEGABYTES,
        ),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    remove_header = forms.BooleanField(label=_("Remove header picture"), required=False)

    def clean_name(self) -> str:
        return allowed(self.cleaned_data["name"])

    def clean_bio(self) -> str:
        return allowed(self.cleaned_data["bio"])

    def clean_gender(self) -> str:
        return allowed(self.cleaned_data["gender"])

    def clean_location(self) -> str:
        return allowed(self.cleaned_data["location"])

    def clean_avatar(self) -> UploadedFile | None:
        return self._small("avatar")

    def clean_header(self) -> UploadedFile | None:
        return self._small("header")

    def _small(self, field: str) -> UploadedFile | None:
        upload: UploadedFile | None = self.cleaned_data[field]
        if upload and (upload.size or 0) > MOST_BYTES:
            raise ValidationError(
                _("This picture is larger than %(megabytes)d MB. Choose a smaller one."),
                code="size",
                params={"megabytes": MEGABYTES},
            )
        return upload


class FirstStepsForm(ProfileForm):
    """The part of the profile that newcomers are asked for."""

    name = None  # type: ignore[assignment]
    location = None  # type: ignore[assignment]
    gender = None  # type: ignore[assignment]
    remove_avatar = None  # type: ignore[assignment]
    header = None  # type: ignore[assignment]
    remove_header = None  # type: ignore[assignment]
    field_order = ("avatar", "bio")
