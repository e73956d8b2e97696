"""Asking for a new password, and choosing it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms.account import EmailField
from accounts.forms.new_password import NewPasswordField, refuse_easy
from accounts.forms.second_factor import CodeForm


class ForgotPasswordForm(forms.Form):
    email = EmailField(
        label=_("Email"),
        help_text=_("The address that you confirmed for your account."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class ResetPasswordForm(CodeForm):
    """The new password, and a code if the account has two-step verification."""

    new_password = NewPasswordField(label=_("New password"))
    field_order = ["new_password", "code"]

    def __init__(self, *args: Any, handle: str, with_code: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.handle = handle
        if not with_code:
            del self.fields["code"]

    def clean_new_password(self) -> str:
        chosen: str = self.cleaned_data["new_password"]
        refuse_easy(chosen, handle=self.handle)
        return chosen
