"""The form for writing a post."""

import secrets
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.circles import Circle
from feed.models import Audience, Replies
from socialsite.web.fields import PlainTextField
from socialsite.web.languages import NAMES, language_of_page, language_options

POST_LIMIT = 1_000  # characters as people count them
POST_BYTES = 3_500  # in UTF-8, so that a post stays an item of 4 KB (`verdicts.py`: `must_fit`)
WARNING_LIMIT = 100
NO_LANGUAGE = _("No language")


NOBODY = "nobody"
CIRCLE = "circle:"  # comes before the id of a circle, among the audiences

AUDIENCES = [
    (Audience.EVERYONE.value, _("Everyone")),
    (Audience.FOLLOWERS.value, _("Followers")),
    (Audience.FRIENDS.value, _("Friends")),
    (Audience.ONLY_ME.value, _("Only me")),
]


REPLIES = [
    (Replies.EVERYONE.value, _("Anyone can reply")),
    (Replies.FOLLOWERS.value, _("Your followers can reply")),
    (Replies.FRIENDS.value, _("Your friends can reply")),
    (Replies.MENTIONED.value, _("People you mention can reply")),
    (Replies.NOBODY.value, _("Nobody can reply")),
]


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
    lang = forms.ChoiceField(
        label=_("Language of the post"),
        choices=[("", NO_LANGUAGE), *NAMES],
        initial=language_of_page,
        required=False,
        error_messages={"invalid_choice": _("Choose a language.")},
    )

    @property
    def language_options(self) -> SafeString:
        """Returns the options of the field `lang`, with the chosen one selected."""
        return language_options(str(self["lang"].value() or ""), str(NO_LANGUAGE))


class TextForm(WordsForm):
    """A text, with the nonce that makes sending it twice harmless. A reply is only that."""

    nonce = forms.RegexField(
        r"^[A-Za-z0-9_-]{22}$",
        widget=forms.HiddenInput,
        max_length=22,
        error_messages={"invalid": _("This form has expired. Reload the page and try again.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"nonce": secrets.token_urlsafe(16)})
        super().__init__(*args, **kwargs)


class RepliesForm(forms.Form):
    """Who can reply to a post that is published."""

    replies = forms.ChoiceField(
        label=_("Who can reply"),
        choices=REPLIES,
        required=False,
        error_messages={"invalid_choice": _("Choose who can reply.")},
    )


class ConversationForm(RepliesForm):
    """Who can reply to a post that is published, and whether others can quote it."""

    quotes = forms.ChoiceField(
        label=_("Who can quote this post"),
        choices=[("", _("Anyone can quote it")), (NOBODY, _("Nobody else can quote it"))],
        required=False,
        error_messages={"invalid_choice": _("Choose who can quote it.")},
    )

    def clean(self) -> dict[str, Any]:
        """Returns `quotable` as the service takes it."""
        values = dict(super().clean() or {})
        return values | {"quotable": values.pop("quotes", "") != NOBODY}


class QuoteForm(RepliesForm, TextForm):
    """A post for everyone that quotes another."""


class AudienceForm(forms.Form):
    """The audience of a post. Offers the author's circles."""

    audience = forms.ChoiceField(
        label=_("Who can see this"),
        choices=AUDIENCES,
        required=False,
        error_messages={"invalid_choice": _("Choose who can see your post.")},
    )

    def __init__(self, *args: Any, circles: Iterable[Circle] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = [(f"{CIRCLE}{circle.circle_id}", circle.name) for circle in circles]
        audience = self.fields["audience"]
        assert isinstance(audience, forms.ChoiceField)
        audience.choices = [*AUDIENCES[:3], *own, *AUDIENCES[3:]]

    def clean(self) -> dict[str, Any]:
        """Returns `audience` and `circle` as the service takes them."""
        values = dict(super().clean() or {})
        chosen = values.get("audience", "")
        if chosen.startswith(CIRCLE):
            values |= {"audience": Audience.CIRCLE, "circle": chosen.removeprefix(CIRCLE)}
        return values


class PostForm(AudienceForm, RepliesForm, TextForm):
    """A post, its audience, and who may answer."""
