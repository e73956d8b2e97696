"""What a post says."""

import secrets
from typing import Any

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from socialsite.web.fields import PlainTextField
from socialsite.web.languages import NAMES, language_of_page, language_options

POST_LIMIT = 1_000  # characters as people count them
POST_BYTES = 3_500  # in UTF-8, so that a post stays an item of 4 KB (`verdicts.py`: `must_fit`)
WARNING_LIMIT = 100
NO_LANGUAGE = _("No language")


class WordsForm(forms.Form):
    """What a post says, new or changed, and what readers see before they open it, and its language."""

    limit, most_bytes = POST_LIMIT, POST_BYTES

    content = PlainTextField(
        label=_("What would you like to say?"),
        max_characters=POST_LIMIT,
        max_bytes=POST_BYTES,
        multiline=True,
        error_messages={"required": _("Write something first.")},
    )

    warning = PlainTextField(
        label=_("Content warning"), max_characters=WARNING_LIMIT, required=False
    )
    language = forms.ChoiceField(
        label=_("Language of the post"),
        choices=[("", NO_LANGUAGE), *NAMES],
        initial=language_of_page,
        required=False,
        error_messages={"invalid_choice": _("Choose a language.")},
    )

    @property
    def language_options(self) -> SafeString:
        """Returns the options of the field `language`, with the chosen one selected."""
        return language_options(str(self["language"].value() or ""), str(NO_LANGUAGE))

    def clean(self) -> dict[str, Any]:
        """Returns the language as `lang`, as the services take it."""
        values = dict(super().clean() or {})
        return values | {"lang": values.pop("language", "")}


class TextForm(WordsForm):
    """A text, with the nonce that makes sending it twice harmless."""

    nonce = forms.RegexField(
        r"^[A-Za-z0-9_-]{22}$",
        widget=forms.HiddenInput,
        max_length=22,
        error_messages={"invalid": _("This form has expired. Reload the page and try again.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"nonce": secrets.token_urlsafe(16)})
        super().__init__(*args, **kwargs)
