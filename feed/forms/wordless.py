"""Posts without words: a post that carries something else, such as a photo, needs none."""

from collections.abc import Mapping
from typing import Any

from feed.forms.words import WordsForm


class WordlessForm(WordsForm):
    """A text that may be empty where the post carries something else. A part of the composer says so in `carries`, and
    asks the next part there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["content"].required = False

    def clean(self) -> dict[str, Any]:
        values = dict(super().clean() or {})
        if values.get("content") == "" and not self.carries(values):
            self.add_error("content", self.fields["content"].error_messages["required"])
        return values

    def carries(self, values: Mapping[str, Any]) -> bool:
        """Whether the post says something without words, by the cleaned values of the fields."""
        return False
