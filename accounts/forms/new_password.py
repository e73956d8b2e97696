"""A password that someone chooses: at sign-up, or instead of the one they have."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.forms.second_factor import ProofForm
from accounts.signing_in.hashers import MAX_LENGTH
from socialsite.web.fields import SecretField

SHORTEST_NAME = 4  # characters: shorter handles are in too many words


class NewPasswordField(SecretField):
    """A password to be set. Password managers offer one."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
        super().__init__(
            max_length=MAX_LENGTH, widget=widget, help_text=_("At least 12 characters."), **kwargs
        )


def refuse_easy(password: str, *, handle: str, email: str = "") -> None:
    """Raises `ValidationError` if the password is short or common, or contains the handle or what stands before the @
    of the email address."""
    validate_password(password)
    typed = password.strip().removeprefix("@").lower()
    for name in (handle.lower(), email.lower().partition("@")[0]):
        if name and (typed == name or (len(name) >= SHORTEST_NAME and name in typed)):
            raise ValidationError(
                _("Your password can’t contain your handle or email. Choose another."), code="own"
            )


class ChangePasswordForm(ProofForm):
    """The proof of who asks, and the new password."""

    new_password = NewPasswordField(label=_("New password"))
    field_order = ["password", "code", "new_password"]

    def __init__(self, *args: Any, handle: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.handle = handle
        self.fields["password"].label = _("Your password now")

    def clean_new_password(self) -> str:
        chosen: str = self.cleaned_data["new_password"]
        if chosen == self.cleaned_data.get("password"):
            raise ValidationError(_("That’s your password already. Choose another."), code="same")
        refuse_easy(chosen, handle=self.handle)
        return chosen
