"""The draft that a composer continues, and what is kept of a post before it is finished."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from feed.composing.taking import Seen
from feed.forms.audience import AudienceForm
from feed.forms.conversation import RepliesForm
from feed.forms.expiry import ExpiryForm
from feed.forms.photos import PhotosForm
from feed.forms.poll import OptionsField, PollForm
from feed.forms.schedule import as_planned
from feed.forms.story import StoryForm
from feed.forms.words import TextForm
from feed.models.polls import MOST_OPTIONS
from feed.services.story import Part
from socialsite.table import ids
from socialsite.web.fields import PlainTextField
from socialsite.web.time_zones import zone_at_hand

MOST_CHARACTERS = 10_000  # of an unfinished text
_version = re.compile(r"\d{1,9}").fullmatch
_writer = re.compile(r"[a-z0-9]{1,32}").fullmatch


class ContinuedForm(forms.Form):
    """Which draft the page continues, and how much it knows of it. Each page that is shown has an id for a new draft,
    so that two of them never write the same one. `continues` is the draft with which the page began, by which the
    browser keeps its own copy. Anything that is no such value means a page without a draft."""

    draft = forms.CharField(widget=forms.HiddenInput, required=False, initial=ids.new_id)
    version = forms.CharField(widget=forms.HiddenInput, required=False)
    writer = forms.CharField(widget=forms.HiddenInput, required=False)
    turn = forms.CharField(widget=forms.HiddenInput, required=False)
    continues = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> dict[str, Any]:
        """Returns the draft as `seen`, as the services take it."""
        values = dict(super().clean() or {})
        draft_id = values.pop("draft", "")
        version, writer = values.pop("version", ""), values.pop("writer", "")
        turn = values.pop("turn", "")
        values.pop("continues", "")
        seen = Seen(
            draft_id=draft_id if ids.is_id(draft_id) else "",
            version=int(version) if _version(version) else None,
            writer=writer if _writer(writer) else "",
            turn=int(turn) if _version(turn) else 0,
        )
        return values | {"seen": seen}


class UnfinishedOptionsField(OptionsField):
    """Answers as far as they are typed: one is enough, and two may be the same."""

    def clean(self, value: Sequence[str] | None) -> tuple[str, ...]:
        typed = (self.option.clean(text) for text in (value or ())[:MOST_OPTIONS])
        return tuple(text for text in typed if text)


class PlannedForm(forms.Form):
    """The time that was chosen for a post, which is not scheduled yet. Nothing is refused here."""

    publish_at = forms.CharField(required=False)
    zone = forms.CharField(required=False)

    def clean(self) -> dict[str, Any]:
        values = dict(super().clean() or {})
        typed, zone = values.pop("publish_at", ""), values.pop("zone", "")
        return values | as_planned(typed, zone or zone_at_hand())


class DraftForm(
    StoryForm,
    PlannedForm,
    ContinuedForm,
    AudienceForm,
    RepliesForm,
    PollForm,
    PhotosForm,
    ExpiryForm,
    TextForm,
):
    """A post that is not finished: it may be empty, or longer than a post can be."""

    content = PlainTextField(max_characters=MOST_CHARACTERS, multiline=True, required=False)
    poll_options = UnfinishedOptionsField(required=False)

    def carries(self, values: Mapping[str, Any]) -> bool:
        return True  # a draft is whatever is there

    def is_valid(self) -> bool:
        """The further posts of a story may be unfinished as well."""
        return forms.Form.is_valid(self)

    def clean(self) -> dict[str, Any]:
        return {**(super().clean() or {}), "parts": self.parts()}

    def parts(self) -> Sequence[Part]:
        text = self.fields["content"]
        parts = (
            Part(
                text.clean(form["content"].value()), text.clean(form["warning"].value()), form.taken
            )
            for form in self.further
        )
        return [part for part in parts if part.content or part.warning or part.photos]
