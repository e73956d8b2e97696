"""The forms of an edit, and of another audience, of one post or of all past ones."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from feed.forms.audience import AUDIENCES, AudienceForm
from feed.forms.words import WordsForm


class EditForm(WordsForm):
    """The new text, and the version that the author saw when they began."""

    version = forms.IntegerField(
        widget=forms.HiddenInput,
        min_value=1,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value"),
            _("This form has expired. Reload the page and try again."),
        ),
    )

    def __init__(self, *args: Any, needs_words: bool = True, **kwargs: Any) -> None:
        kwargs["auto_id"] = "edit_%s"  # the page below has a composer
        super().__init__(*args, **kwargs)
        self.fields["content"].label = _("Your text")
        self.fields["content"].required = needs_words


class OtherAudienceForm(AudienceForm):
    """The audience of a post that is published. No choice at all is a mistake, and not everyone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = "changed_%s"  # the page below has a composer
        super().__init__(*args, **kwargs)

    def clean_audience(self) -> str:
        if "audience" not in self.data:
            messages = self.fields["audience"].error_messages
            raise forms.ValidationError(messages["invalid_choice"])
        return str(self.cleaned_data["audience"])


class PastPostsForm(forms.Form):
    """The audience of all posts that were for everyone until now: followers or friends."""

    audience = forms.ChoiceField(
        label=_("Who can see them"),
        choices=AUDIENCES[1:3],
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), _("Choose who can see your posts.")
        ),
    )
