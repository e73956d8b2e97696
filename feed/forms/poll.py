"""What a post asks its readers."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feed.forms.wordless import WordlessForm
from feed.models.polls import MOST_OPTIONS
from feed.polls.wish import USUAL_LENGTH, PollWish
from socialsite.site.word_filters import fold_text
from socialsite.web.fields import PlainTextField

LEAST_OPTIONS = 2
OPTION_LIMIT = 50
OPTION_BYTES = 200  # in UTF-8: six of them share an item with the text

LENGTHS_IN_WORDS = {
    "1h": gettext_lazy("1 hour"),
    "1d": gettext_lazy("1 day"),
    "3d": gettext_lazy("3 days"),
    "1w": gettext_lazy("1 week"),
}


class OptionsField(forms.Field):
    """Short texts, as many as were filled in. Blank ones are dropped."""

    widget = forms.MultipleHiddenInput
    option = PlainTextField(max_characters=OPTION_LIMIT, max_bytes=OPTION_BYTES, required=False)

    def clean(self, value: Sequence[str] | None) -> tuple[str, ...]:
        typed = value or ()
        if len(typed) > 2 * MOST_OPTIONS:
            raise self._too_many()
        options: list[str] = []
        for place, text in enumerate(typed, 1):
            try:
                options.append(self.option.clean(text))
            except ValidationError as error:
                raise ValidationError(
                    [
                        _("Answer %(place)d: %(error)s") % {"place": place, "error": message}
                        for message in error.messages
                    ]
                ) from error
        options = [option for option in options if option]
        if options and len(options) < LEAST_OPTIONS:
            raise ValidationError(_("A poll needs at least two answers."))
        if len(options) > MOST_OPTIONS:
            raise self._too_many()
        if len({fold_text(option) for option in options}) < len(options):
            raise ValidationError(_("Two answers are the same. Change one of them."))
        return tuple(options)

    def _too_many(self) -> ValidationError:
        return ValidationError(_("A poll has up to %(n)d answers.") % {"n": MOST_OPTIONS})


class PollForm(WordlessForm):
    """The poll of a post, if at least two answers are filled in. The text asks the question, so it may not be empty."""

    most_options = MOST_OPTIONS
    option_limit = OPTION_LIMIT

    poll_options = OptionsField(label=gettext_lazy("Answers"), required=False)
    poll_several = forms.BooleanField(
        label=gettext_lazy("People can choose several answers"), required=False
    )
    poll_ends = forms.ChoiceField(
        label=gettext_lazy("The poll ends after"),
        choices=[*LENGTHS_IN_WORDS.items()],
        initial=USUAL_LENGTH,
        required=False,
        error_messages={"invalid_choice": gettext_lazy("Choose when the poll ends.")},
    )
    poll_change = forms.BooleanField(
        label=gettext_lazy("People can change their vote"), required=False
    )
    poll_early = forms.BooleanField(
        label=gettext_lazy("Show the results before people vote"), required=False
    )

    def carries(self, values: Mapping[str, Any]) -> bool:
        return not values.get("poll_options") and super().carries(values)

    def clean(self) -> dict[str, Any]:
        """Returns `poll` as the service takes it, None without answers."""
        values = dict(super().clean() or {})
        options = values.pop("poll_options", ())
        length = values.pop("poll_ends", "")
        wishes = {
            name: bool(values.pop(f"poll_{name}", False)) for name in ("several", "change", "early")
        }
        poll = PollWish(options, length or USUAL_LENGTH, **wishes) if options else None
        return values | {"poll": poll}

    @property
    def typed_options(self) -> list[str]:
        """Returns what stands in the fields of the answers: six of them, the last ones empty."""
        typed = [str(text) for text in self["poll_options"].value() or () if str(text).strip()]
        return [*typed, *[""] * MOST_OPTIONS][:MOST_OPTIONS]

    @property
    def has_poll(self) -> bool:
        """Whether a poll was begun, so that its part of the form is open."""
        return bool(self.typed_options[0]) or any(
            self.errors.get(name) for name in self.fields if name.startswith("poll_")
        )
