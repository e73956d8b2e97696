"""What an app sends as a new post, as the composer's forms check it."""

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from api.access import ApiRequest, Sent, refuse
from feed.composing.forms import PhotosForm, ScheduleForm
from feed.polls.models import LENGTHS, USUAL_LENGTH
from feed.publishing.forms import AudienceForm, ExpiryForm, PollForm, RepliesForm, TextForm
from photos.forms import MOST_PHOTOS
from socialsite.web.preferences import NAMES


class StatusForm(
    ScheduleForm, AudienceForm, RepliesForm, PollForm, PhotosForm, ExpiryForm, TextForm
):
    """A new post."""


class AnswerForm(PhotosForm, TextForm):
    """An answer. Its readers are those of its thread."""


def words_in(request: ApiRequest) -> MultiValueDict[str, str]:
    """Returns the fields of a text that an app sent, with its photos. Photos that are to be covered, without a word
    why, get one: the site covers what has a content warning."""
    sent, media = request.sent, media_in(request.sent)
    warning = sent.get("spoiler_text")
    if media and not warning and sent.flag("sensitive"):
        warning = _("Sensitive photo")
    one = {
        "content": sent.get("status"),
        "warning": warning,
        "language": language_in(sent.get("language")),
        "nonce": _nonce(request),
    }
    return MultiValueDict({name: [value] for name, value in one.items()} | {"photo": media})


def must_be_single(sent: Sent, *names: str) -> None:
    """Raises `Refusal` where one of these came as a list of none or of several, or in parts. Taken for nothing, it
    would be the widest: a post for everyone that was meant for some, or an answer outside its conversation."""
    for name in names:
        came = [key for key in sent.values if key == name or key.startswith(f"{name}[")]
        if came and (came != [name] or len(sent.values[name]) != 1):
            told = _("Validation failed: %(errors)s")
            raise refuse(told % {"errors": f"{name}: " + _("Choose one.")})


def media_in(sent: Sent) -> list[str]:
    """Returns the ids of the photos. Raises `Refusal` for more than a post can have."""
    media = [one for one in sent.all("media_ids") if one]
    if len(media) > MOST_PHOTOS:
        raise refuse(_("A post has room for %(n)d photos.") % {"n": MOST_PHOTOS})
    return media


LANGUAGES = {code.lower(): code for code, _name in NAMES}


def language_in(asked: str) -> str:
    """Returns the language as the site names it, empty for one that it does not know."""
    whole = asked.lower()
    return LANGUAGES.get(whole) or LANGUAGES.get(whole.partition("-")[0], "")


def _nonce(request: ApiRequest) -> str:
    """Returns what makes sending twice harmless: by the app's own key, else a new one."""
    key = request.headers.get("Idempotency-Key", "")
    if not key:
        return secrets.token_urlsafe(16)
    hashed = hashlib.sha256(f"{request.access.client_id} {key}".encode()).digest()
    return urlsafe_b64encode(hashed)[:22].decode()


def poll_in(sent: Sent) -> dict[str, Sequence[str]]:
    """Returns the fields of the poll, none without answers. Raises `Refusal` for a length that no poll has."""
    options = sent.all("poll[options]")
    if not options:
        return {}
    several = ["on"] if sent.flag("poll[multiple]") else []
    length = [_length(sent.get("poll[expires_in]"))]
    return {"poll_options": options, "poll_several": several, "poll_ends": length}


def _length(asked: str) -> str:
    """Returns the shortest length of a poll here that is not below the one that is asked for, in seconds."""
    if not asked:
        return USUAL_LENGTH
    seconds = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 0
    lengths = {name: length.total_seconds() for name, length in LENGTHS.items()}
    if not min(lengths.values()) <= seconds <= max(lengths.values()):
        raise refuse(_("A poll is open for 1 hour at least and 1 week at most."))
    return next(name for name, length in lengths.items() if length >= seconds)


def time_in(sent: Sent) -> dict[str, Sequence[str]]:
    """Returns the fields of the time at which a post is published, none for now. Raises `Refusal` for no time."""
    asked = sent.get("scheduled_at")
    if not asked:
        return {}
    try:
        moment = datetime.fromisoformat(asked).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise refuse(_("Choose a day and a time.")) from error
    return {"publish_at": [moment.strftime("%Y-%m-%dT%H:%M")], "zone": ["UTC"]}
