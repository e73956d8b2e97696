"""The follow button, removing followers, the pages of followers and follows; requests to follow and to be friends,
received and sent; and privacy settings: who may follow and find the viewer, and who sees old posts."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import trigger_client_event

from accounts.profile.writes import save_privacy
from accounts.requests import SiteRequest, sign_in_required
from relations.follows import writes
from relations.follows.writes import answer_waiting_requests
from relations.forms import PrivacyForm
from relations.reads import find_person, get_profile, list_followers, list_following, list_own
from relations.views import answer_press, back_of, explain_refusals, section_or_all
from socialsite.table import NotFound
from socialsite.web.fragments import (
    cursor_of,
    form_page,
    fragment_or_redirect,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.rich_text import preview_of_list

PLACES = ("side-", "card-")


@require_POST
@sign_in_required
@explain_refusals
def follow(request: SiteRequest, handle: str) -> HttpResponse:
    """Follows, or asks to follow a locked account (`on=1`), or takes either back (`on=0`). Answers with the button in
    its new state, or leads to `next`.

    A page may have the button several times. Those in the right column and in a card say so, and get ids of their own.
    """
    person_id = request.people.person_id
    person = find_person(person_id, viewer=request.user)
    followed = requested = False
    if wanted_state(request):
        followed = writes.follow_or_ask(by=request.user, person=person)
        requested = not followed
    elif not writes.unfollow(
        by=request.user, user_id=person_id, is_widely_followed=person.is_widely_followed
    ):
        writes.withdraw_follow_request(by=request.user, user_id=person_id)
    context = {
        "person": person.with_followed(followed, requested=requested),
        "place": place if (place := request.POST.get("place")) in PLACES else "",
    }
    to = back_of(request)
    response = fragment_or_redirect(request, "relations/_follow_button.html", context, to=to)
    return trigger_client_event(response, "followed") if request.htmx else response


@require_POST
@sign_in_required
@explain_refusals
def remove_follower(request: SiteRequest, handle: str) -> HttpResponse:
    """Removes a follower, without telling them."""
    person = find_person(request.people.person_id, viewer=request.user)
    writes.remove_follower(by=request.user, user_id=person.user_id)
    return answer_press(request, _("@%(handle)s no longer follows you.") % {"handle": handle})


@require_safe
def followers(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows a person's followers."""
    return _people(request, "followers")


@require_safe
def following(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows the people a person follows."""
    return _people(request, "following")


def _people(request: SiteRequest, tab: str) -> HttpResponse:
    profile = get_profile(request.people.person_id, viewer=request.user)
    if profile.relationship.is_hidden:
        raise NotFound("the two do not see each other")
    list_them = list_followers if tab == "followers" else list_following
    person = profile.person
    page = list_them(person.user_id, viewer=request.user, cursor=cursor_of(request))
    path = person.followers_url if tab == "followers" else person.following_url
    context = {
        "person": person,
        "people": page.items,
        "tab": tab,
        "link_preview": preview_of_list(request, path, is_indexed=person.is_indexed),
        **neighbours(request, page),
    }
    return page_or_fragment(
        request, "relations/people.html", "relations/_person_page.html", context
    )


SECTIONS = ("friend", "follow", "sent-friend", "sent-follow")


@require_safe
@sign_in_required
def requests(request: SiteRequest) -> HttpResponse:
    """Shows the newest requests of four lists, or with `show=` all pages of one list."""
    return section_or_all(request, "relations/requests.html", SECTIONS, {"tab": "requests"})


@require_POST
@sign_in_required
@explain_refusals
def follow_request(request: SiteRequest, handle: str) -> HttpResponse:
    """Answers a follow request (`answer=accept` or `decline`), or withdraws the viewer's own (`withdraw`)."""
    by = request.user
    person_id = find_person(request.people.person_id, viewer=by).user_id
    match request.POST.get("answer"):
        case "accept":
            writes.accept_follow_request(by=by, user_id=person_id)
            text = _("@%(handle)s now follows you.")
        case "decline":
            writes.decline_follow_request(by=by, user_id=person_id)
            text = _("Declined. We won’t tell @%(handle)s.")
        case "withdraw":
            writes.withdraw_follow_request(by=by, user_id=person_id)
            text = _("You’ve withdrawn your request to @%(handle)s.")
        case _other:
            raise BadRequest("answer is accept, decline or withdraw")
    return answer_press(request, text % {"handle": handle})


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def privacy(request: SiteRequest) -> HttpResponse:
    """Shows and saves the settings. People who unlock the account choose what happens to waiting requests."""
    was_locked = request.user.card is not None and request.user.card.is_locked
    form = PrivacyForm(request.POST if request.method == "POST" else None, card=request.user.card)
    if form.is_valid():
        values = form.cleaned_data
        pending = values.pop("pending")
        values["not_indexed"] = not values.pop("indexed")
        values["not_searched"] = not values.pop("searched")
        values["no_topics"] = not values.pop("topics")
        values["no_packs"] = not values.pop("packs")
        save_privacy(by=request.user, **values)
        messages.success(request, _("Settings saved."))
        if was_locked and not values["locked"] and pending in (form.ACCEPT, form.DECLINE):
            _answer_all(request, accept=pending == form.ACCEPT)
        return redirect(request.path)
    waiting = list_own(request.user, "follow").items if was_locked else ()
    context = {"form": form, "waiting": waiting}
    response = form_page(request, "relations/privacy.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _answer_all(request: SiteRequest, *, accept: bool) -> None:
    count, more = answer_waiting_requests(by=request.user, accept=accept)
    if accept:
        text = ngettext("You have %(n)d new follower.", "You have %(n)d new followers.", count)
    else:
        text = ngettext("%(n)d request declined.", "%(n)d requests declined.", count)
    messages.success(request, text % {"n": count})
    if more:
        messages.info(request, _("More are still waiting under Requests."))
