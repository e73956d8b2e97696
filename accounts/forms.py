"""What people type about themselves: sign-up, sign-in, profile, preferences."""

import re
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from accounts.hashers import MAX_LENGTH
from accounts.reserved import is_reserved
from socialsite.web.fields import PlainTextField, SecretField

HANDLE = re.compile(r"[a-z0-9_]{3,30}")
EMAIL_MAX_LENGTH = 254
SWITCH = forms.CheckboxInput(attrs={"role": "switch"})


class HandleField(PlainTextField):
    """A handle in lower case; a leading @ is forgiven."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_characters=31, **kwargs)

    def to_python(self, value: Any) -> str:
        return super().to_python(value).removeprefix("@").lower()


class EmailField(forms.EmailField):
    """An e-mail address, refused before parsing if it cannot be one."""

    def to_python(self, value: Any) -> str:
        text = str(value or "").strip()
        if len(text) > EMAIL_MAX_LENGTH or not text.isprintable():
            raise ValidationError(_("Enter a valid email address."), code="invalid")
        return text


class SignUpForm(forms.Form):
    handle = HandleField(
        label=_("Handle"),
        help_text=_("3 to 30 letters a–z, digits or _. Others find you as @handle."),
    )
    name = PlainTextField(label=_("Display name"), max_characters=50)
    email = EmailField(label=_("E-mail"), help_text=_("Never shown to anybody."))
    password = SecretField(
        label=_("Password"), max_length=MAX_LENGTH, help_text=_("At least 10 characters.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        hints = {
            "handle": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"},
            "name": {"autocomplete": "name"},
            "email": {"autocomplete": "email"},
            "password": {"autocomplete": "new-password"},
        }
        for name, attributes in hints.items():
            self.fields[name].widget.attrs |= attributes

    def clean_handle(self) -> str:
        handle: str = self.cleaned_data["handle"]
        if not HANDLE.fullmatch(handle):
            raise ValidationError(_("Use 3 to 30 letters a–z, digits or _."), code="handle")
        if is_reserved(handle):
            raise ValidationError(_("This handle is not available."), code="reserved")
        return handle

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password)
        own = {self.cleaned_data.get(name, "").lower() for name in ("handle", "email")}
        if password.strip().removeprefix("@").lower() in own:
            raise ValidationError(_("Choose something else than your handle or e-mail."))
        return password


class SignInForm(forms.Form):
    account = PlainTextField(
        label=_("Handle or e-mail"),
        max_characters=EMAIL_MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    password = SecretField(
        label=_("Password"),
        max_length=MAX_LENGTH,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class ProfileForm(forms.Form):
    name = PlainTextField(label=_("Display name"), max_characters=50)
    bio = PlainTextField(label=_("About you"), max_characters=500, multiline=True, required=False)
    location = PlainTextField(label=_("Location"), max_characters=60, required=False)
    avatar = forms.FileField(
        label=_("Picture"),
        required=False,
        help_text=_("JPEG, PNG or WebP, up to 5 MB. It is cut to a square."),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    remove_avatar = forms.BooleanField(label=_("Remove the picture"), required=False)

    def clean_avatar(self) -> UploadedFile | None:
        upload: UploadedFile | None = self.cleaned_data["avatar"]
        if upload and (upload.size or 0) > settings.AVATAR_MAX_BYTES:
            raise ValidationError(_("This file is larger than 5 MB."), code="size")
        return upload


class PreferencesForm(forms.Form):
    """Drawn by hand (`accounts/appearance.html`); what it says of its choices is here."""

    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[
            ("auto", _("As on my device")),
            ("light", _("Light")),
            ("dark", _("Dark")),
        ],
        widget=forms.RadioSelect,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("As in my browser")), *settings.LANGUAGES],
        required=False,
    )
    scroll = forms.BooleanField(
        label=_("Load older posts while scrolling"),
        help_text=_("Without it, a button at the end of the page brings them."),
        required=False,
        widget=SWITCH,
    )
    shortcuts = forms.BooleanField(
        label=_("Keyboard shortcuts"),
        help_text=_("Single keys, such as j for the next post and ? for the list of all."),
        required=False,
        widget=SWITCH,
    )


class FirstStepsForm(ProfileForm):
    """The part of the profile that newcomers are asked for."""

    name = None  # type: ignore[assignment]
    location = None  # type: ignore[assignment]
    remove_avatar = None  # type: ignore[assignment]
    field_order = ("avatar", "bio")
