"""The further posts of a story, in the form of its first one. Their fields begin with the number of the post."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms.utils import ErrorDict

from feed.forms.photos import PhotosForm
from feed.services.story import MOST_POSTS, Part

NUMBERS = range(2, MOST_POSTS + 1)


class PartForm(PhotosForm):
    """The words and photos of a further post. Its language and its readers are those of the first one."""

    is_new = False

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        files: Mapping[str, Any] | None = None,
        *,
        number: int | str,
        auto_id: str,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, files, prefix=str(number), auto_id=auto_id, initial=initial)
        self.number = number
        del self.fields["language"]

    @property
    def is_left_empty(self) -> bool:
        """Whether nothing was written here: then it is no post."""
        words = (self[name].value() or "" for name in ("content", "warning"))
        has_photos = self.tiles or any(self[name].value() for name in ("photo", "photos"))
        return not (has_photos or any(text.strip() for text in words))

    @property
    def error_id(self) -> str:
        return f"{str(self.auto_id) % self.number}-error"

    @property
    def part(self) -> Part:
        """Returns the post of a valid form."""
        values = self.cleaned_data
        return Part(values["content"], values["warning"], tuple(values["photos"]))


class StoryForm(forms.Form):
    """The first post of a story, with the `further` ones in the order of their numbers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.further = [
            PartForm(self.data, self.files, number=number, auto_id=str(self.auto_id))
            for number in NUMBERS
            if f"{number}-content" in self.data
        ]

    @property
    def written(self) -> list[PartForm]:
        return [form for form in self.further if not form.is_left_empty]

    @property
    def blank_part(self) -> PartForm:
        """Returns what a script adds, with its number in place of `__n__`."""
        return PartForm(number="__n__", auto_id=str(self.auto_id))

    @property
    def can_grow(self) -> bool:
        return len(self.further) < len(NUMBERS)

    def is_valid(self) -> bool:
        """Whether all posts are valid. Looks at each, so that each has its message."""
        further = [form.is_valid() for form in self.written]
        return super().is_valid() and all(further)

    def clean(self) -> dict[str, Any]:
        """Returns the further posts as `parts`, as the services take them."""
        values = dict(super().clean() or {})
        return values | {"parts": self.parts()}

    def parts(self) -> Sequence[Part]:
        """Returns the further posts as they are now: their files may have become photos."""
        return [form.part for form in self.written if form.is_valid()]

    def refuse_part(self, number: int, sentence: str) -> None:
        """Puts a sentence beside the post that was refused. The first post of a story is number 1."""
        self.written[number - 2].add_error("content", sentence)

    def grow(self) -> None:
        """Adds an empty post, which gets the focus, unless there are enough. The form is shown again as it was typed,
        and not judged. Closes the gaps that removed posts have left."""
        self._errors = ErrorDict()
        before = self.further
        typed = [{name: form[name].value() for name in form.fields} for form in before]
        grown = [*typed, {}][: len(NUMBERS)]
        self.further = [
            PartForm(number=number, auto_id=str(self.auto_id), initial=values)
            for number, values in zip(NUMBERS, grown, strict=False)
        ]
        for form, old in zip(self.further, before, strict=False):
            form.tiles = old.tiles
        self.further[-1].is_new = len(grown) > len(typed)
