"""What people say about themselves, on their profile and in the first steps, which handle they want, and how the
site looks and behaves for them. The site's word filters check a profile's texts."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.credentials.forms import HandleField
from socialsite.pictures.limits import MEGABYTES, MOST_BYTES
from socialsite.site_settings.site_rules import site_rules
from socialsite.web.fields import PlainTextField
from socialsite.web.preferences import zone_choices

SWITCH = forms.CheckboxInput(attrs={"role": "switch"})


def allowed(text: str) -> str:
    """Returns the text. Raises `ValidationError`, with the rule's sentence, if a word filter refuses it."""
    if sentence := site_rules().refusal(text):
        raise ValidationError(sentence, code="words")
    return text


class ProfileForm(forms.Form):
    name = PlainTextField(label=_("Display name"), max_characters=50)
    bio = PlainTextField(label=_("About you"), max_characters=500, multiline=True, required=False)
    gender = PlainTextField(
        label=_("Pronouns"),
        help_text=_("How others should refer to you, such as she/her."),
        max_characters=30,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "list": "usual-pronouns"}),
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


class ChangeHandleForm(forms.Form):
    handle = HandleField(label=_("New handle"), help_text=_("3 to 30 characters: a–z, 0–9 or _."))


def _time_zones() -> list[tuple[str, Any]]:
    return [("", _("As my device says")), *zone_choices()]


class PreferencesForm(forms.Form):
    """The template (`accounts/appearance.html`) draws the fields itself. The help texts are here."""

    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[
            ("auto", _("Same as my device")),
            ("light", _("Light")),
            ("dark", _("Dark")),
        ],
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("Same as my browser")), *settings.LANGUAGES],
        required=False,
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=_time_zones, required=False)
    scroll = forms.BooleanField(
        label=_("Load older posts as I scroll"),
        help_text=_("When this is off, use the button at the end of the page."),
        required=False,
        widget=SWITCH,
    )
    opens_warnings = forms.BooleanField(
        label=_("Always open posts with a content warning"),
        help_text=_(
            "When this is off, you see the warning first. Posts that moderators covered stay covered."
        ),
        required=False,
        widget=SWITCH,
    )
    enter_begins_line = forms.BooleanField(
        label=_("Enter begins a new line in messages"),
        help_text=_("When this is off, Enter sends, and Shift with Enter begins a new line."),
        required=False,
        widget=SWITCH,
    )
    reminds_to_describe = forms.BooleanField(
        label=_("Remind me to describe photos"),
        help_text=_("Asks once before you post a photo without a description."),
        required=False,
        widget=SWITCH,
    )
    shortcuts = forms.BooleanField(
        label=_("Keyboard shortcuts"),
        help_text=_("Press a single key, such as j for the next post or ? for the full list."),
        required=False,
        widget=SWITCH,
    )
