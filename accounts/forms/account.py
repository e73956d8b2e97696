"""What people type to sign up and in."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.forms.new_password import NewPasswordField, refuse_easy
from accounts.handles.reserved import is_reserved
from accounts.signing_in.hashers import MAX_LENGTH
from socialsite.texts.unseen import without_unseen
from socialsite.web.fields import PlainTextField, SecretField

HANDLE = re.compile(r"[a-z0-9_]{3,30}")
EMAIL_MAX_LENGTH = 254


class HandleField(PlainTextField):
    """A handle that can be chosen, in lower case; a leading @ is forgiven."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_characters=31, **kwargs)
        self.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}

    def to_python(self, value: Any) -> str:
        return super().to_python(value).removeprefix("@").lower()

    def validate(self, value: str) -> None:
        super().validate(value)
        if not HANDLE.fullmatch(value):
            raise ValidationError(_("Use 3 to 30 characters: a–z, 0–9 or _."), code="handle")
        if is_reserved(value):
            raise ValidationError(_("This handle isn’t available. Try another."), code="reserved")


class EmailField(forms.EmailField):
    """An email address, refused before parsing if it cannot be one."""

    def to_python(self, value: Any) -> str:
        text = without_unseen(str(value or ""), multiline=False).strip()
        if len(text) > EMAIL_MAX_LENGTH or not text.isprintable():
            raise ValidationError(_("Enter a valid email address."), code="invalid")
        return text


class SignUpForm(forms.Form):
    handle = HandleField(
        label=_("Handle"),
        help_text=_("3 to 30 characters: a–z, 0–9 or _. People find you as @handle."),
    )
    name = PlainTextField(label=_("Display name"), max_characters=50)
    email = EmailField(label=_("Email"), help_text=_("We never show this to anyone."))
    password = NewPasswordField(label=_("Password"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        hints = {
            "handle": {"autocomplete": "username"},
            "name": {"autocomplete": "name"},
            "email": {"autocomplete": "email"},
        }
        for name, attributes in hints.items():
            self.fields[name].widget.attrs |= attributes

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        typed = self.cleaned_data
        refuse_easy(password, handle=typed.get("handle", ""), email=typed.get("email", ""))
        return password


class SignInForm(forms.Form):
    account = PlainTextField(
        label=_("Handle or email"),
        max_characters=EMAIL_MAX_LENGTH,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "username webauthn",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )
    password = SecretField(
        label=_("Password"),
        max_length=MAX_LENGTH,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
