"""What people type into posts, part by part, and the forms of an edit, of another audience and of descriptions. A post
that carries something else, such as a photo, needs no words."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.people.viewer import Circle
from feed.polls.models import USUAL_LENGTH, PollWish
from feed.posts.models import MOST_OPTIONS, Audience, Replies
from photos.forms import DESCRIPTION_BYTES, DESCRIPTION_CHARACTERS
from socialsite.site_settings.word_filters import fold_text
from socialsite.web.fields import PlainTextField
from socialsite.web.preferences import NAMES, language_of_page, language_options

POST_LIMIT = 1_000  # characters as people count them
POST_BYTES = 3_500  # in UTF-8, so that a post stays an item of 4 KB (`must_fit`)
WARNING_LIMIT = 100
NO_LANGUAGE = _("No language")


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
    language = forms.ChoiceField(
        label=_("Language of the post"),
        choices=[("", NO_LANGUAGE), *NAMES],
        initial=language_of_page,
        required=False,
        error_messages={"invalid_choice": _("Choose a language.")},
    )

    @property
    def language_options(self) -> SafeString:
        """Returns the options of the field `language`, with the chosen one selected."""
        return language_options(str(self["language"].value() or ""), str(NO_LANGUAGE))

    def clean(self) -> dict[str, Any]:
        """Returns the language as `lang`, as the services take it."""
        values = dict(super().clean() or {})
        return values | {"lang": values.pop("language", "")}


class TextForm(WordsForm):
    """A text, with the nonce that makes sending it twice harmless."""

    nonce = forms.RegexField(
        r"^[A-Za-z0-9_-]{22}$",
        widget=forms.HiddenInput,
        max_length=22,
        error_messages={"invalid": _("This form has expired. Reload the page and try again.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"nonce": secrets.token_urlsafe(16)})
        super().__init__(*args, **kwargs)


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


CIRCLE = "circle:"  # comes before the id of a circle, among the audiences

AUDIENCES = [
    (Audience.EVERYONE.value, _("Everyone")),
    (Audience.FOLLOWERS.value, _("Followers")),
    (Audience.FRIENDS.value, _("Friends")),
    (Audience.ONLY_ME.value, _("Only me")),
]


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
        self.circles = tuple(circles)
        own = [
            (f"{CIRCLE}{one.circle_id}", gettext("Circle: %(name)s") % {"name": one.name})
            for one in self.circles
        ]
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


NOBODY = "nobody"

REPLIES = [
    (Replies.EVERYONE.value, _("Anyone can reply")),
    (Replies.FOLLOWERS.value, _("Your followers can reply")),
    (Replies.FRIENDS.value, _("Your friends can reply")),
    (Replies.MENTIONED.value, _("People you mention can reply")),
    (Replies.NOBODY.value, _("Nobody can reply")),
]


class RepliesForm(forms.Form):
    """The people who can reply to a post that is published."""

    replies = forms.ChoiceField(
        label=_("Who can reply"),
        choices=REPLIES,
        required=False,
        error_messages={"invalid_choice": _("Choose who can reply.")},
    )


class ConversationForm(RepliesForm):
    """The people who can reply to a post that is published, and whether others can quote it."""

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


CHOICES = [
    ("", _("Stays for good")),
    ("1h", _("Disappears after 1 hour")),
    ("1d", _("Disappears after 1 day")),
    ("1w", _("Disappears after 1 week")),
]


class ExpiryForm(forms.Form):
    """Whether a post that is published disappears by itself."""

    expires_in = forms.ChoiceField(
        label=_("How long it stays"),
        choices=CHOICES,
        required=False,
        error_messages={"invalid_choice": _("Choose how long your post stays.")},
    )


LEAST_OPTIONS = 2
OPTION_LIMIT = 50
OPTION_BYTES = 200  # in UTF-8: six of them share an item with the text

LENGTHS_IN_WORDS = {
    "1h": _("1 hour"),
    "1d": _("1 day"),
    "3d": _("3 days"),
    "1w": _("1 week"),
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

    poll_options = OptionsField(label=_("Answers"), required=False)
    poll_several = forms.BooleanField(label=_("People can choose several answers"), required=False)
    poll_ends = forms.ChoiceField(
        label=_("The poll ends after"),
        choices=[*LENGTHS_IN_WORDS.items()],
        initial=USUAL_LENGTH,
        required=False,
        error_messages={"invalid_choice": _("Choose when the poll ends.")},
    )
    poll_change = forms.BooleanField(label=_("People can change their vote"), required=False)
    poll_early = forms.BooleanField(label=_("Show the results before people vote"), required=False)

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


class DescriptionsForm(forms.Form):
    """A field for each photo, named by its id, with what is said of it now."""

    def __init__(self, *args: Any, described: Mapping[str, str], **kwargs: Any) -> None:
        kwargs["auto_id"] = "described_%s"  # the page below has a composer
        super().__init__(*args, **kwargs)
        for number, (photo_id, text) in enumerate(described.items(), 1):
            label = _("Photo %(n)s of %(of)s") % {"n": number, "of": len(described)}
            self.fields[photo_id] = PlainTextField(
                label=label,
                initial=text,
                max_characters=DESCRIPTION_CHARACTERS,
                max_bytes=DESCRIPTION_BYTES,
                multiline=True,
                required=False,
            )
