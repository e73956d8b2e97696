"""Another email address."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.forms.account import EmailField
from socialsite.site.site_rules import site_rules


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
