"""What people type to say something."""

import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from socialsite.web.fields import PlainTextField

POST_LIMIT = 500  # characters as people count them


class PostForm(forms.Form):
    """A post, with the nonce that makes sending it twice harmless."""

    limit = POST_LIMIT

    content = PlainTextField(
        label=_("What would you like to say?"),
        max_characters=POST_LIMIT,
        multiline=True,
        error_messages={"required": _("Write something first.")},
    )
    nonce = forms.RegexField(
        r"^[A-Za-z0-9_-]{22}$",
        widget=forms.HiddenInput,
        max_length=22,
        error_messages={"invalid": _("This form is not valid any more. Reload the page.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"nonce": secrets.token_urlsafe(16)})
        super().__init__(*args, **kwargs)
