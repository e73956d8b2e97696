"""The forms for writing a post."""

from feed.forms.audience import AudienceForm
from feed.forms.conversation import RepliesForm
from feed.forms.wordless import WordlessForm
from feed.forms.words import TextForm


class PostForm(AudienceForm, RepliesForm, WordlessForm, TextForm):
    """A post, its audience, and who may answer."""


class QuoteForm(RepliesForm, TextForm):
    """A post for everyone that quotes another."""
