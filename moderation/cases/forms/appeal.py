"""An appeal against an action of the moderators."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from socialsite.web.fields import PlainTextField

APPEAL_LIMIT = 500


class AppealForm(forms.Form):
    """The first text of an appeal, or with `goes_on` a further one."""

    text = PlainTextField(
        label=_("What did we get wrong?"),
        max_characters=APPEAL_LIMIT,
        multiline=True,
        error_messages={"required": _("Write something first.")},
    )

    def __init__(self, *args: Any, goes_on: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if goes_on:
            self.fields["text"].label = _("What would you like to add?")
