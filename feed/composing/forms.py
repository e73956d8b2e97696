"""The composer's forms: the photos of a post (files that come with the form, and photos that were uploaded before), the
further posts of a story, whose fields begin with the number of the post, when a post is published, and the draft that a
composer continues."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from babel import Locale
from babel.dates import get_timezone_location
from django import forms
from django.conf import settings
from django.forms.utils import ErrorDict
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext_lazy as _

from accounts.people.viewer import Circle
from feed.composing.composition import NoSuchTime, Seen, in_words, is_zone, moment_of
from feed.composing.reads import Slot
from feed.posts.models import MOST_OPTIONS
from feed.publishing.forms import (
    AudienceForm,
    ExpiryForm,
    OptionsField,
    PollForm,
    RepliesForm,
    TextForm,
    WordlessForm,
)
from feed.publishing.writes import MOST_POSTS, Part
from photos.forms import ChosenPhotosForm
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.web.fields import PlainTextField
from socialsite.web.preferences import zone_at_hand


class PhotosForm(ChosenPhotosForm, WordlessForm):
    """The photos of a post, which needs no words then. `feed/composing/composer.py` takes them."""

    def carries(self, values: Mapping[str, Any]) -> bool:
        return bool(values.get("photo") or values.get("photos")) or super().carries(values)


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


EARLIEST = timedelta(minutes=5)  # from now
LATEST = timedelta(days=366)
TYPED = ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M")


class ScheduleForm(forms.Form):
    """The time at which a post is published, empty for now. A page that changes a scheduled post names it in
    `scheduled`; `version` is then that of the scheduled post, and `draft` an id for a text that comes too late."""

    publish_at = forms.CharField(
        label=_("Publish at"),
        required=False,
        max_length=30,
        error_messages={"max_length": _("Choose a day and a time.")},
    )
    zone = forms.CharField(widget=forms.HiddenInput, required=False, initial=zone_at_hand)
    scheduled = forms.CharField(widget=forms.HiddenInput, required=False)

    @property
    def zone_in_words(self) -> str:
        """Returns the place whose time it is, such as "Berlin"."""
        zone = str(self["zone"].value() or "")
        if not is_zone(zone) or zone == "UTC":
            return "UTC"
        locale = Locale.parse(to_locale(get_language() or settings.LANGUAGE_CODE))
        return get_timezone_location(zone, locale=locale, return_city=True).split("/")[-1]

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        return zone if is_zone(zone) else zone_at_hand()

    def clean(self) -> dict[str, Any]:
        """Returns the time as a moment in `publish_at`, None for now, and the scheduled post in `slot`, None for a new
        one."""
        values = dict(super().clean() or {})
        typed, zone = values.get("publish_at", ""), values.get("zone", "UTC")
        slot = Slot.of(values.pop("scheduled", ""))
        return values | {"slot": slot, "publish_at": self._moment(typed, zone) if typed else None}

    def _moment(self, typed: str, zone: str) -> datetime | None:
        local = _read(typed)
        if local is None:
            self.add_error("publish_at", _("Choose a day and a time."))
            return None
        try:
            moment = moment_of(local, zone)
        except NoSuchTime as error:
            following = in_words(error.following, zone)
            self.add_error("publish_at", SKIPPED % {"time": following})
            return None
        except OverflowError:
            self.add_error("publish_at", TOO_LATE)
            return None
        if moment < utc_now().replace(second=0, microsecond=0) + EARLIEST:
            self.add_error("publish_at", TOO_EARLY)
        elif moment > utc_now() + LATEST:
            self.add_error("publish_at", TOO_LATE)
        return moment


SKIPPED = _("The clocks skip this time. The next one is %(time)s.")
TOO_EARLY = _("Choose a time that is at least 5 minutes away.")
TOO_LATE = _("Choose a time within the next year.")


def as_planned(typed: str, zone: str) -> dict[str, str]:
    """Returns a time as a draft keeps it, with its zone, however late it is. Nothing if it is no time."""
    local = _read(typed)
    if local is None or not is_zone(zone):
        return {}
    return {"planned_time": local.isoformat(timespec="minutes"), "planned_zone": zone}


def _read(typed: str) -> datetime | None:
    for pattern in TYPED:
        try:
            return datetime.strptime(typed.strip(), pattern).replace(second=0)  # noqa: DTZ007 - clocks in a zone
        except ValueError:
            continue
    return None


MOST_CHARACTERS = 10_000  # of an unfinished text
_version = re.compile(r"\d{1,9}").fullmatch
_writer = re.compile(r"[a-z0-9]{1,32}").fullmatch


class ContinuedForm(forms.Form):
    """Which draft the page continues, and how much it knows of it. Each page that is shown has an id for a new draft,
    so that two of them never write the same one. `continues` is the draft with which the page began, or what an app
    shared, by which the browser keeps its own copy. Anything that is no such value means a page without a draft."""

    draft = forms.CharField(widget=forms.HiddenInput, required=False, initial=ids.new_id)
    version = forms.CharField(widget=forms.HiddenInput, required=False)
    writer = forms.CharField(widget=forms.HiddenInput, required=False)
    turn = forms.CharField(widget=forms.HiddenInput, required=False)
    continues = forms.CharField(widget=forms.HiddenInput, required=False)

    @property
    def is_of_draft(self) -> bool:
        """Whether the page began with a draft."""
        return ids.is_id(str(self["continues"].value() or ""))

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
        values = super().clean() or {}
        seen = values["seen"] if values["seen"].draft_id else Seen(ids.new_id())
        return {**values, "parts": self.parts(), "seen": seen}

    def parts(self) -> Sequence[Part]:
        text = self.fields["content"]
        parts = (
            Part(
                text.clean(form["content"].value()), text.clean(form["warning"].value()), form.taken
            )
            for form in self.further
        )
        return [part for part in parts if part.content or part.warning or part.photos]


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


class BlankForm(ContinuedForm, TextForm):
    """What a composer needs of its own while it is empty: its text, and the ids of what will become of it. The other
    fields of `PostForm` are the same for everyone, so `feed/templatetags/composer.py` keeps them drawn. Making a whole
    `PostForm` for them would take longer than drawing the rest of the composer."""

    # How Django leaves out fields of a base.
    warning = language = turn = None  # type: ignore[assignment]
    is_blank = True

    def __init__(self, *, circles: Iterable[Circle] = (), auto_id: str = "id_%s") -> None:
        super().__init__(auto_id=auto_id)
        self.circles = tuple(circles)
