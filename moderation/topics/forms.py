"""The form that refuses tags as topics, several at once, one on each line."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from moderation.rules.forms import lines_of
from socialsite.texts import SIGNS, fold_tag
from socialsite.web.fields import PlainTextField


class TopicsForm(forms.Form):
    tags = PlainTextField(
        label=_("Tags"),
        help_text=_("One per line. Each means all spellings of the tag."),
        max_characters=5000,
        multiline=True,
    )

    def clean_tags(self) -> list[str]:
        lines = lines_of(self.cleaned_data["tags"])
        folded = {line: fold_tag(line.lstrip(SIGNS)) for line in lines}
        if wrong := next((line for line, tag in folded.items() if not tag), None):
            text = _("“%(line)s” is not a tag. Write it like bread or #bread.")
            raise ValidationError(text, code="tag", params={"line": wrong})
        return list(dict.fromkeys(folded.values()))
