"""The errors beside a field if one of the site's lists is full, or already has the entry."""

from collections.abc import Iterator
from contextlib import contextmanager

from django import forms
from django.utils.translation import gettext as _

from moderation.rules.services.site import ThereAlready, TooMany


@contextmanager
def say_why_not(form: forms.Form, field: str, there_already: str = "") -> Iterator[None]:
    """Adds the error of a refused write to the form, inside a `with` block."""
    try:
        yield
    except ThereAlready:
        form.add_error(field, there_already)
    except TooMany as error:
        text = _("You can have up to %(limit)d. Remove one first.")
        form.add_error(field, text % {"limit": error.limit})
