"""Form fields for typed text. It is capped before anything parses it, and errors appear beside the field."""

import unicodedata
from itertools import groupby
from typing import Any

import regex
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from socialsite.texts import STACKED, without_unseen

BYTES_PER_CHARACTER = 6  # on average; enough for every script, and an item stays under 4 KB
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and patterns that are invisible

# Spaces of every width, marks and joiners that stand alone, and the signs that look like a space.
BLANK_LINE = regex.compile(r"[\s\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*")
_characters = regex.compile(r"\X")
# More than 4 accents on a letter, or 4 times the same, grow out of the line; a script that stacks letters needs more.
_too_many_marks = regex.compile(
    rf"(?:(?![{STACKED}])[\p{{Mn}}\p{{Me}}]){{5}}|[\p{{Mn}}\p{{Me}}]{{11}}|([\p{{Mn}}\p{{Me}}])\1{{4}}"
)


class PlainTextField(forms.CharField):
    """Text without signs that nobody sees (`without_unseen`), in NFC, with at most `max_characters` as people count
    them (graphemes) and `max_bytes` in UTF-8. A text of several lines has at most one blank line in a row."""

    def __init__(
        self,
        *,
        max_characters: int,
        max_bytes: int | None = None,
        multiline: bool = False,
        **kwargs: Any,
    ) -> None:
        widget = forms.Textarea if multiline else forms.TextInput
        kwargs.setdefault("widget", widget(attrs={"dir": "auto"}))
        super().__init__(**kwargs)
        self.max_characters = max_characters
        self.max_bytes = max_bytes or max_characters * BYTES_PER_CHARACTER
        self.multiline = multiline

    def to_python(self, value: Any) -> str:
        text = "" if value is None else str(value)
        if len(text) > self.max_bytes * 2:
            raise self._too_long(len(text))
        _refuse_broken(text)
        text = without_unseen(text, multiline=self.multiline)
        text = _join_blank_lines(text) if self.multiline else text
        text = unicodedata.normalize("NFC", text).strip()
        _refuse_what_shows_badly(text, multiline=self.multiline)
        return text if is_visible(text) else ""

    def validate(self, value: str) -> None:
        super().validate(value)
        length = count_characters(value)
        if length > self.max_characters:
            raise self._too_long(length)
        size = len(value.encode())
        if size > self.max_bytes:
            raise ValidationError(
                ngettext(
                    "This takes up too much space: emoji and the characters of some scripts need several bytes each. "
                    "Use up to %(limit)d byte (this has %(length)d).",
                    "This takes up too much space: emoji and the characters of some scripts need several bytes each. "
                    "Use up to %(limit)d bytes (this has %(length)d).",
                    self.max_bytes,
                ),
                code="bytes",
                params={"limit": self.max_bytes, "length": size},
            )

    def _too_long(self, length: int) -> ValidationError:
        text = ngettext(
            "Use up to %(limit)d character (this has %(length)d).",
            "Use up to %(limit)d characters (this has %(length)d).",
            self.max_characters,
        )
        return ValidationError(
            text, code="too_long", params={"limit": self.max_characters, "length": length}
        )


class SecretField(forms.CharField):
    """A password, kept exactly as typed and capped before it is hashed."""

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.PasswordInput(render_value=False))
        super().__init__(max_length=max_length, strip=False, **kwargs)

    def to_python(self, value: Any) -> str:
        text = "" if value is None else str(value)
        _refuse_broken(text)
        return text


def _join_blank_lines(text: str) -> str:
    """Empties lines without visible characters, and keeps one of them in a row."""
    lines = text.split("\n")
    blanks_joined = groupby(lines, key=lambda line: bool(BLANK_LINE.fullmatch(line)))
    return "\n".join("" if is_blank else "\n".join(group) for is_blank, group in blanks_joined)


def is_visible(text: str) -> bool:
    """Whether the text has visible characters, not only spaces, joiners, marks and fillers."""
    return any(
        unicodedata.category(character)[0] not in "CZM" and character not in BLANKS
        for character in text
    )


def count_characters(text: str) -> int:
    """Returns how many characters a person sees. An emoji family or an accented letter counts as one."""
    return sum(1 for _ in _characters.finditer(text))


def _refuse_broken(text: str) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text) or "\x00" in text:
        raise ValidationError(
            _("This has characters we can’t read. Remove them and try again."), code="broken"
        )


def _refuse_what_shows_badly(text: str, *, multiline: bool) -> None:
    if not multiline and ("\n" in text or "\r" in text):
        raise ValidationError(
            _("This has more than one line. Join them and try again."), code="lines"
        )
    if _too_many_marks.search(text):
        raise ValidationError(
            _("This has too many accents on one letter. Remove some and try again."), code="marks"
        )
