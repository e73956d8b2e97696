"""The forms for writing a post."""

from typing import Any

from feed.forms.audience import AudienceForm
from feed.forms.conversation import RepliesForm
from feed.forms.drafts import ContinuedForm
from feed.forms.expiry import ExpiryForm
from feed.forms.photos import PhotosForm
from feed.forms.poll import PollForm
from feed.forms.schedule import ScheduleForm
from feed.forms.story import StoryForm
from feed.forms.words import TextForm


class PostForm(
    StoryForm,
    ScheduleForm,
    ContinuedForm,
    AudienceForm,
    RepliesForm,
    PollForm,
    PhotosForm,
    ExpiryForm,
    TextForm,
):
    """A post, its audience, who may answer, its photos, what it asks its readers, when it comes and how long it stays;
    or a story of several posts."""

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it yet: neither sent by someone nor brought along by a draft."""
        brought = (
            self.tiles or self.said_of_photos or self.further or self.initial.keys() - {"nonce"}
        )
        return not (self.is_bound or brought)


class QuoteForm(RepliesForm, PollForm, PhotosForm, TextForm):
    """A post for everyone that quotes another, who may answer, its photos, and what it asks its readers."""


class ReplyForm(PhotosForm, TextForm):
    """An answer to a post, in its language, and its photos. A page can have several composers, so the fields are named
    after the post."""

    def __init__(self, *args: Any, to: str, language: str = "", **kwargs: Any) -> None:
        super().__init__(*args, auto_id=f"%s-{to}", **kwargs)
        if language:
            self.initial["language"] = language
