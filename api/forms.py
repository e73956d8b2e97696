"""The forms of the pages, asked by an app."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from api.access import Refusal, refuse


def valid(form: forms.Form) -> dict[str, Any]:
    """Returns what a form holds. Raises `Refusal` with what is wrong with it."""
    if form.is_valid():
        return form.cleaned_data
    raise refused_by(form)


def refused_by(form: forms.Form) -> Refusal:
    said = " ".join(str(one) for errors in form.errors.values() for one in errors)
    return refuse(_("Validation failed: %(errors)s") % {"errors": said})
