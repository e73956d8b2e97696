"""Publishing a post or an answer, with photos or a poll; or planning a post for later."""

from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, here, refuse, valid
from api.composing.forms import (
    AnswerForm,
    StatusForm,
    must_be_single,
    poll_in,
    time_in,
    words_in,
)
from api.composing.quoting import must_be_quotable_by_all, publish_quote
from api.entities.scheduled import scheduled_of
from api.statuses import answer, find
from feed.cards.pages import is_for_everyone
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from feed.composing.composition import Composition, Seen
from feed.composing.reads import Slot, get_scheduled
from feed.composing.writes import TooManyScheduled, schedule_post
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.photos import CannotAttach
from feed.publishing.writes import SubmittedAndDeleted, publish_post
from feed.threads.writes import reply
from photos.reads import get_photos
from socialsite.web.limits import POSTS, count_hits

# What an app may say of the readers: of the words of Mastodon, those that say no more than they mean here. Ours are in
# `audience`.
VISIBILITIES = {"": "", "public": Audience.EVERYONE.value, "private": Audience.FOLLOWERS.value}
NOT_YET = ("poll",)  # a poll comes as an object, or as `poll[options]`
SINGLE = (
    "status", "spoiler_text", "visibility", "audience", "replies", "expires_in", "in_reply_to_id", "scheduled_at",
    "quoted_status_id", "quote_approval_policy",
)  # fmt: skip
NOT_IN_ANSWERS = ("poll[options]", "scheduled_at", "audience", "replies", "expires_in")


@endpoint("write:statuses")
def publish(request: ApiRequest) -> Any:
    """Publishes a post, an answer or a quote. The same `Idempotency-Key` with the same text is the same post. Readers
    whom the site has no word for are refused: a wider audience than was meant is never chosen. With `scheduled_at` the
    clock publishes it."""
    sent, viewer = request.sent, request.user
    must_be_single(sent, *SINGLE)
    for name in NOT_YET:
        if sent.all(name):
            raise refuse(_("Apps can’t send “%(name)s” to this site yet.") % {"name": name})
    visibility = sent.get("visibility")
    if visibility not in VISIBILITIES:
        told = _(
            "Nobody can be meant by “%(name)s” here. Choose who can see it: public or private."
        )
        raise refuse(told % {"name": visibility})
    must_be_quotable_by_all(request)
    try:
        if quoted := sent.get("quoted_status_id"):
            post_id = publish_quote(request, quoted)
        elif answered := sent.get("in_reply_to_id"):
            post_id = _answer(request, find(request, answered), visibility)
        else:
            values = _values(request, VISIBILITIES[visibility])
            if values["publish_at"]:
                return _schedule(request, values)
            post_id = _publish(request, values)
    except SubmittedAndDeleted as error:
        raise refuse(_("You’ve deleted this post.")) from error
    except CannotAttach as error:
        raise refuse(error.sentence) from error
    return answer(request, get_post(post_id, viewer.user_id, viewer=viewer))


def _values(request: ApiRequest, audience: str) -> dict[str, Any]:
    sent = request.sent
    if wanted := sent.get("audience"):
        if wanted == "everyone" and audience:
            raise refuse(_("Choose who can see your post."))
        audience = "" if wanted == "everyone" else wanted
    typed = words_in(request)
    for name, value in (
        ("audience", audience),
        ("replies", sent.get("replies")),
        ("expires_in", sent.get("expires_in")),
    ):
        typed[name] = value
    for name, several in {**poll_in(sent), **time_in(sent)}.items():
        typed.setlist(name, list(several))
    return valid(StatusForm(typed, MultiValueDict(), circles=request.user.circles))


def _publish(request: ApiRequest, values: dict[str, Any]) -> str:
    for name in ("publish_at", "zone", "slot"):
        del values[name]
    count_hits((POSTS, request.user.user_id))
    return publish_post(by=request.user, **values)


def _schedule(request: ApiRequest, values: dict[str, Any]) -> Any:
    viewer, moment = request.user, values["publish_at"]
    count_hits((POSTS, viewer.user_id))
    try:
        scheduled_id = schedule_post(
            by=viewer,
            composition=Composition.of(values),
            publish_at=moment,
            zone=values["zone"],
            nonce=values["nonce"],
            seen=Seen(),
        )
    except TooManyScheduled as error:
        raise refuse(_("You have 100 scheduled posts. That is the limit.")) from error
    card = get_scheduled(str(Slot(moment, scheduled_id)), viewer=viewer)
    photos = get_photos(viewer, card.composition.photos)
    return scheduled_of(card, photos, here(request), viewer)


def _answer(request: ApiRequest, post: PostCard, visibility: str) -> str:
    for name in NOT_IN_ANSWERS:
        if any(request.sent.all(name)):
            raise refuse(_("An answer can’t have “%(name)s”.") % {"name": name})
    if visibility == "private" and is_for_everyone(post):
        told = _("Answers have the readers of the first post, and everyone can see this one.")
        raise refuse(told)
    values = valid(AnswerForm(words_in(request), MultiValueDict()))
    count_hits((POSTS, request.user.user_id))
    return reply(by=request.user, to=Pointer(post.post_id, post.author.user_id), **values)
