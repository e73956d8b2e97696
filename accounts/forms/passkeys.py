"""The forms that send a passkey's answer, and give passkeys a name."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.passkeys.answers import Answer, WrongPasskey
from socialsite.web.fields import PlainTextField

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
