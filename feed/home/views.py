"""The home timeline and the posts that came since it was opened, the timelines of favourites and of everyone, people to
follow in the right column, fetched when it is visible, and the first steps after sign-up, which can all be skipped.
"""

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.people.reads import get_user_info
from accounts.profile.forms import FirstStepsForm
from accounts.profile.views import save_profile
from accounts.requests import SiteRequest, sign_in_required
from feed.composing.forms import BlankForm
from feed.home.reads import (
    Pill,
    get_favourites,
    get_timeline,
    list_few_to_follow,
    list_newer,
    list_newest_by_author,
    suggest_people,
)
from feed.timelines.big_authors import ask_to_merge, get_news
from feed.timelines.local import list_public
from relations.own_choices.writes import dismiss_suggestion, restore_suggestion
from relations.suggested import ask_for_suggestions, get_suggestion
from socialsite.news import News, watch
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import keys
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment, wanted_state
from socialsite.web.rich_text import preview_of_list

LANDING_POSTS = 10
LANDING_PEOPLE = 5


@require_safe
def home(request: SiteRequest) -> HttpResponse:
    """Shows posts of the people the viewer follows, newest first, or an introduction to visitors. Sends people who are
    locked out to their account status."""
    if request.user.locked_out:
        return redirect("/standing")
    if not request.user.is_authenticated:
        posts = list_newest_by_author(size=LANDING_POSTS)
        landing = {"posts": posts, "people_here": [post.author for post in posts[:LANDING_PEOPLE]]}
        return render(request, "feed/landing.html", landing)
    news = get_news(request.user)
    page = get_timeline(request.user, cursor=cursor_of(request), news=news)
    context: dict[str, Any] = {
        "posts": page.items,
        "form": BlankForm(circles=request.user.circles),
        "is_kept_out": page.next_cursor and not page.places,
        **neighbours(request, page),
    }
    if not context["newer_url"]:
        ask_to_merge(request.user, news)
        context["pill"] = Pill.above(request.user, page.top)
        context["hears"] = watch(
            request.user.user_id, News.POSTS, map(keys.user, request.user.pulled)
        )
    return page_or_fragment(request, "feed/home.html", "feed/_post_page.html", context)


@require_safe
@sign_in_required
def new_posts(request: SiteRequest) -> HttpResponse:
    """Answers with the posts since the page was made (`show=1`), and a pill that counts from there on.

    Pages from before the number came with the badges still ask for it here: 204.
    """
    if not request.htmx:
        return redirect("/")
    if not request.GET.get("show"):
        return HttpResponse(status=204)
    since = request.GET.get("since", "")
    page = list_newer(request.user, since=since)
    pill = Pill.above(request.user, page.top) if page.top else Pill(since)
    context = {"posts": page.items, "pill": pill, "waiting": request.user.waiting}
    return render(request, "feed/_new_posts.html", context)


@require_safe
@sign_in_required
def favourites(request: SiteRequest) -> HttpResponse:
    """Shows the posts of favourites, newest first."""
    page = get_favourites(request.user, cursor=cursor_of(request))
    context = {"posts": page.items, **neighbours(request, page)}
    return page_or_fragment(request, "feed/favourites.html", "feed/_post_page.html", context)


@require_safe
def local(request: SiteRequest) -> HttpResponse:
    """Shows the local timeline to members and visitors."""
    page = list_public(viewer=request.user, cursor=cursor_of(request))
    preview = preview_of_list(request, request.path)
    context = {"posts": page.items, "link_preview": preview, **neighbours(request, page)}
    return page_or_fragment(request, "feed/local.html", "feed/_post_page.html", context)


SHOWN_IN_COLUMN = 3


@require_safe
def people_to_follow(request: SiteRequest) -> HttpResponseBase:
    """Shows the card: people the viewer may know first. Without htmx it is the explore page.

    `besides` is the handle of the page's own person, who is left out.
    """
    ask_for_suggestions(request.people)
    return _card(request)


@sign_in_required
def _card(request: SiteRequest) -> HttpResponse:
    if not request.htmx:
        return redirect("/explore")
    besides = request.GET.get("besides", "").lower()
    few = list_few_to_follow(viewer=request.user, size=SHOWN_IN_COLUMN, besides=besides)
    context = {"known": few.known, "people": few.people}
    return render(request, "feed/_people_to_follow.html", context)


@require_POST
@sign_in_required
def dismiss(request: SiteRequest, handle: str) -> HttpResponse:
    """Stops suggesting a person (`on=1`), or undoes that (`on=0`). htmx gets the replacement of the row."""
    person_id = request.people.person_id
    on = wanted_state(request)
    if person_id == request.user.user_id:
        raise BadRequest("nobody is suggested to themselves")
    if on:
        dismiss_suggestion(by=request.user, user_id=person_id)
    else:
        restore_suggestion(by=request.user, user_id=person_id)
    if not request.htmx:
        return redirect(f"/explore?dismissed={handle}" if on else "/explore")
    suggestion = None if on else get_suggestion(viewer=request.user, user_id=person_id)
    if suggestion:
        return render(request, "feed/_suggestion.html", {"suggestion": suggestion, "is_back": True})
    return render(request, "feed/_dismissed.html", {"handle": handle, "on": on})


GOAL = 3  # people, so that a timeline is worth reading
SHOWN_FIRST = 6


@takes_upload(MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def welcome(request: SiteRequest) -> HttpResponse:
    """Shows the steps, and saves the first one. htmx gets how many people the viewer follows by now."""
    person = get_user_info(request.user.user_id, viewer=request.user)
    form = FirstStepsForm(request.POST or None, request.FILES or None, initial={"bio": person.bio})
    if request.method == "POST" and form.is_valid() and save_profile(request, form):
        messages.success(request, _("Profile saved."))
        return redirect("/welcome")
    context = {
        "form": form,
        "goal": GOAL,
        "done": min(GOAL, person.following or 0),
        "people": suggest_people(viewer=request.user, size=SHOWN_FIRST),
    }
    status = 422 if form.errors else 200
    return render(request, "feed/welcome.html", context, status=status)


@require_safe
@sign_in_required
def progress(request: SiteRequest) -> HttpResponse:
    """Shows how many people the viewer follows by now, after each press of a follow button."""
    if not request.htmx:
        return redirect("/welcome")
    person = get_user_info(request.user.user_id, viewer=request.user)
    context = {"goal": GOAL, "done": min(GOAL, person.following or 0)}
    return render(request, "feed/_welcome_progress.html", context)
