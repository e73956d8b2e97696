"""The forms for proving your identity: a password, a two-step verification code, or both."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.signing_in.hashers import MAX_LENGTH
from socialsite.web.fields import PlainTextField, SecretField

CODE_MAX_CHARACTERS = 20


class CodeForm(forms.Form):
    """A code from the app. With `recovery` the field suits a recovery code. Both kinds are accepted either way."""

    code = PlainTextField(
        label=_("Code from your app"),
        max_characters=CODE_MAX_CHARACTERS,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "inputmode": "numeric",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )

    def __init__(self, *args: Any, recovery: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if recovery:
            code = self.fields["code"]
            code.label = _("Recovery code")
            code.widget.attrs |= {"autocomplete": "off", "inputmode": "text"}


class PasswordForm(forms.Form):
    password = SecretField(
        label=_("Your password"),
        max_length=MAX_LENGTH,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class ProofForm(PasswordForm, CodeForm):
    """The password, and a code if the account has two-step verification."""

    field_order = ["password", "code"]

    def __init__(self, *args: Any, with_code: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not with_code:
            del self.fields["code"]
