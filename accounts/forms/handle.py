"""Which handle someone wants instead of theirs."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms.account import HandleField


class ChangeHandleForm(forms.Form):
    handle = HandleField(label=_("New handle"), help_text=_("3 to 30 characters: a–z, 0–9 or _."))
