"""Signing up as the site's settings require: freely, with an invitation, or with a reason that a moderator reads."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.credentials.forms import EmailField, HandleField, NewPasswordField, refuse_easy
from accounts.profile.forms import allowed
from accounts.sign_up.writes import CODE, Admission
from socialsite.site_settings.site_setup import AddressEffect, SignUp, SiteRules
from socialsite.web.fields import PlainTextField


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


class JoinForm(SignUpForm):
    """Asks for an invitation if the site needs it or the address has one. Asks people who will wait for a reason."""

    invite = PlainTextField(
        label=_("Invitation"),
        help_text=_("The code that came with your invitation."),
        max_characters=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    asked = PlainTextField(
        label=_("Why would you like to join?"),
        help_text=_("A moderator reads this. You can start once they approve you."),
        max_characters=500,
        multiline=True,
        required=False,
    )
    field_order = ("invite", "handle", "name", "email", "password", "asked")

    def __init__(
        self, *args: Any, rules: SiteRules, address: str, code: str = "", **kwargs: Any
    ) -> None:
        kwargs.setdefault("initial", {"invite": code})
        super().__init__(*args, **kwargs)
        self.rules = rules
        now = rules.sign_up_now
        by_invitation = now == SignUp.INVITE
        brings_code = bool(code or str(self.data.get("invite", "")).strip())
        is_watched = rules.effect_on(address) == AddressEffect.APPROVAL
        self.waits = (now == SignUp.APPROVAL or is_watched) and not by_invitation
        if by_invitation:
            self.fields["invite"].required = True
        elif not brings_code:
            del self.fields["invite"]
        if not self.waits or brings_code:
            del self.fields["asked"]

    def clean_invite(self) -> str:
        code: str = self.cleaned_data["invite"]
        if code and not CODE.fullmatch(code):
            raise ValidationError(
                _("We don’t know this invitation. Check the code and try again."), code="unknown"
            )
        return code

    def clean_name(self) -> str:
        return allowed(self.cleaned_data["name"])

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if self.rules.blocks_email(email):
            text = _("You can’t use an email from this provider. Try a different one.")
            raise ValidationError(text, code="blocked")
        return email

    @property
    def account(self) -> dict[str, str]:
        """Returns the account to create."""
        names = ("handle", "name", "email", "password")
        return {name: self.cleaned_data[name] for name in names}

    @property
    def admission(self) -> Admission:
        """Returns the terms on which they join. An invitation skips approval and the daily limit."""
        if code := self.cleaned_data.get("invite", ""):
            return Admission(invite=code)
        asked = self.cleaned_data.get("asked", "")
        return Admission(self.waits, asked, most_a_day=self.rules.sign_ups_a_day)
