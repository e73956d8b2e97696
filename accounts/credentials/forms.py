"""What people type to say who they are: handle, email address, password, code, or a passkey's answer."""

import re
from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.credentials.passkeys import Answer, WrongPasskey
from accounts.credentials.passwords import MAX_LENGTH
from accounts.people.reads import is_reserved
from socialsite.site_settings.site_rules import site_rules
from socialsite.texts import without_unseen
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


class ChangeEmailForm(forms.Form):
    email = EmailField(
        label=_("New email"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if site_rules().blocks_email(email):
            text = _("You can’t use an email from this provider. Try a different one.")
            raise ValidationError(text, code="blocked")
        return email


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


LONGEST_ANSWER = 16_000  # characters; those with a chain of certificates take about 6,000
LONGEST_NAME = 40
DID_NOT_WORK = _("That passkey didn’t work. Try again, or use your password.")


class AnswerField(forms.CharField):
    """The browser's answer, which `static/js/passkeys.js` fills in. No page shows it again."""

    def __init__(self, **kwargs: Any) -> None:
        refused = {"required": DID_NOT_WORK, "max_length": DID_NOT_WORK}
        super().__init__(
            max_length=LONGEST_ANSWER,
            error_messages=refused,
            widget=forms.HiddenInput,
            **kwargs,
        )

    def clean(self, value: Any) -> Answer:
        try:
            return Answer.from_text(super().clean(value))
        except WrongPasskey as error:
            raise ValidationError(DID_NOT_WORK, code="wrong") from error


class PasskeyForm(forms.Form):
    credential = AnswerField()


class PasskeyNameForm(forms.Form):
    name = PlainTextField(
        label=_("Name"),
        help_text=_("A name that tells you where it is, such as Phone. Only you see it."),
        max_characters=LONGEST_NAME,
        error_messages={"required": _("Enter a name.")},
    )


class NewPasskeyForm(PasskeyNameForm, PasskeyForm):
    """The answer of a device that has made a passkey, and a name for it."""
