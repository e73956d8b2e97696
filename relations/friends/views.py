"""Friendship: asking, answering, withdrawing and ending. The viewer's friends, filtered by circle, place, pronouns
and notes, and the viewer's favourites, by place and pronouns. The circles: creating, renaming and deleting them, and
which of them a friend is in."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.people.viewer import Circle, find_circle
from accounts.requests import SiteRequest, sign_in_required
from relations.filters import Filters, Pronoun
from relations.forms import PRONOUNS, TOO_MANY, CircleForm, CirclesForm
from relations.friends import writes
from relations.friends.writes import file_friend
from relations.reads import find_person, get_profile, list_circles, list_own
from relations.views import answer_press, back_of, explain_refusals
from socialsite.site_settings.levels import Level
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import NotFound
from socialsite.web.fragments import (
    cursor_of,
    form_page,
    neighbours,
    page_or_fragment,
    wanted_state,
)
from socialsite.web.limits import REQUESTS, count_hits


@require_POST
@sign_in_required
@explain_refusals
def friend(request: SiteRequest, handle: str) -> HttpResponse:
    """Sends a friend request (`on=1`), or takes the request or the friendship back (`on=0`). `answer=accept` or
    `decline` answers a request."""
    by = request.user
    person_id = find_person(request.people.person_id, viewer=by).user_id
    answer = request.POST.get("answer")
    if answer == "accept":
        writes.accept_friend(by=by, user_id=person_id)
        text = _("You and @%(handle)s are now friends.")
    elif answer == "decline":
        writes.decline_friend(by=by, user_id=person_id)
        text = _("Declined. We won’t tell @%(handle)s.")
    elif wanted_state(request):
        count_hits((REQUESTS, by.user_id))
        writes.request_friend(by=by, user_id=person_id)
        text = _("Friend request sent to @%(handle)s.")
    else:
        writes.end_friendship(by=by, user_id=person_id)
        writes.withdraw_friend_request(by=by, user_id=person_id)
        text = _("You and @%(handle)s aren’t friends, and no request is waiting.")
    return answer_press(request, text % {"handle": handle})


LONGEST = 60  # characters of a search
# The parameters of each list's form. Favourites have neither circles nor notes.
ASKED = {
    "friends": ("circle", "location", "pronoun", "gender", "level", "q"),
    "favourites": ("location", "pronoun", "gender", "level"),
}


@require_safe
@sign_in_required
def friends(request: SiteRequest) -> HttpResponse:
    """Shows friends that match `circle`, `location`, `pronoun`, `gender`, `level` and `q`, or with
    `show=favourites` the favourites that match `location`, `pronoun`, `gender` and `level`."""
    name = "favourites" if request.GET.get("show") == "favourites" else "friends"
    asked = _asked(request, name)
    page = list_own(request.user, name, filters=_filters(asked), cursor=cursor_of(request))
    of_list = {"show": name} if name == "favourites" else {}
    context: dict[str, Any] = {
        "name": name,
        "tab": name,
        "list_url": "/friends?show=favourites" if of_list else "/friends",
        "rows": page.items,
        "asked": asked,
        "pronouns": PRONOUNS,
        "levels": site_rules().levels,
        "here": request.get_full_path(),
        **neighbours(request, page, **of_list, **asked),
    }
    if name == "friends" and not request.htmx:
        context["circles"] = list_circles(request.user)
    return page_or_fragment(
        request, "relations/friends.html", "relations/_section_rows.html", context
    )


def _asked(request: SiteRequest, name: str) -> dict[str, str]:
    values = {field: request.GET.get(field, "").strip()[:LONGEST] for field in ASKED[name]}
    if values["pronoun"] not in list(Pronoun):  # an address that someone wrote by hand
        del values["pronoun"]
    if values["level"] not in list(Level):
        del values["level"]
    return {field: value for field, value in values.items() if value}


def _filters(asked: dict[str, str]) -> Filters:
    return Filters(
        tag=asked.get("circle", ""),
        location=asked.get("location", ""),
        pronoun=Pronoun(asked["pronoun"]) if "pronoun" in asked else None,
        gender=asked.get("gender", ""),
        level=Level(asked["level"]) if "level" in asked else None,
        text=asked.get("q", ""),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def circles(request: SiteRequest) -> HttpResponse:
    """Lists all circles, each with how many friends are in it, and creates an empty one."""
    sizes = list_circles(request.user)
    if request.method != "POST":
        return _page(request, sizes, CircleForm())
    form = CircleForm(request.POST)
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            known = find_circle(sizes, name)
            circle_id = known or writes.create_circle(by=request.user, name=name)
        except writes.TooManyCircles:
            form.add_error("name", TOO_MANY)
        else:
            said = _("You already have this circle.") if known else _("Circle created.")
            messages.success(request, said)
            if not request.htmx:
                return redirect("/circles")
            return _page(request, {Circle(circle_id, name): 0} | sizes, CircleForm())
    return _page(request, sizes, form)


def _page(request: SiteRequest, sizes: dict[Circle, int], form: CircleForm) -> HttpResponse:
    rows = [
        {"circle": circle, "size": size, "query": urlencode({"circle": circle.circle_id})}
        for circle, size in sorted(sizes.items(), key=lambda row: row[0].name.casefold())
    ]
    context = {"rows": rows, "form": form, "tab": "circles"}
    return form_page(request, "relations/circles.html", context, fragment="relations/_circles.html")


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def rename_circle(request: SiteRequest) -> HttpResponse:
    """Asks for another name of the circle in `circle`, then gives it."""
    circle, size = _circle(request)
    typed = request.POST if request.method == "POST" else None
    # The dialog stands on a page that has such a form already.
    form = CircleForm(typed, initial={"name": circle.name}, auto_id="rename_%s")
    if form.is_valid():
        name = form.cleaned_data["name"]
        try:
            writes.rename_circle(by=request.user, circle_id=circle.circle_id, name=name)
        except writes.CircleExists:
            form.add_error("name", _("You already have a circle with this name."))
        else:
            messages.success(request, _("Circle renamed."))
            return redirect("/circles")
    return _ask(request, "rename_circle", {"circle": circle, "size": size, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete_circle(request: SiteRequest) -> HttpResponse:
    """Asks, then deletes the circle in `circle`."""
    circle, size = _circle(request)
    if request.method == "POST":
        writes.delete_circle(by=request.user, circle_id=circle.circle_id)
        messages.success(request, _("Circle deleted."))
        return redirect("/circles")
    return _ask(request, "delete_circle", {"circle": circle, "size": size})


def _circle(request: SiteRequest) -> tuple[Circle, int]:
    wanted = request.GET.get("circle", "")
    for circle, size in list_circles(request.user).items():
        if circle.circle_id == wanted:
            return circle, size
    raise NotFound("no such circle")


def _ask(request: SiteRequest, name: str, context: dict[str, object]) -> HttpResponse:
    return form_page(
        request, f"relations/{name}.html", context, fragment=f"relations/_{name}_form.html"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
@explain_refusals
def friend_circles(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows and saves the circles that a friend is in, and the note. Answers 404 for anyone who is not a friend."""
    profile = get_profile(request.people.person_id, viewer=request.user)
    if not profile.relationship.is_friend:
        raise NotFound("not a friend")
    typed = request.POST if request.method == "POST" else None
    chosen = [circle.circle_id for circle in profile.relationship.circles]
    initial = {"circles": chosen, "note": profile.relationship.note}
    form = CirclesForm(typed, initial=initial, existing=list_circles(request.user))
    if form.is_valid():
        try:
            file_friend(
                by=request.user,
                user_id=profile.person.user_id,
                circles=_chosen(request, form),
                note=form.cleaned_data["note"],
            )
        except writes.TooManyCircles:
            form.add_error("new_circle", TOO_MANY)
        else:
            messages.success(request, _("Saved. Only you can see it."))
            return redirect(back_of(request))
    context = {"person": profile.person, "form": form, "back": back_of(request)}
    return form_page(request, "relations/friend_circles.html", context)


def _chosen(request: SiteRequest, form: CirclesForm) -> set[str]:
    name = form.cleaned_data["new_circle"]
    new = name and (form.known or writes.create_circle(by=request.user, name=name))
    return {*form.cleaned_data["circles"], new} - {""}
