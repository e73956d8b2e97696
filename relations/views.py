"""The answers to a button that changes something between two people: what changed, or why not. Pages with several
short lists of people, of which each continues on its own page. Exporting follows, blocks, mutes and circles, each as
a file."""

from collections.abc import Callable
from functools import wraps
from itertools import chain
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.requests import SiteRequest, safe_target, sign_in_required
from relations.export import FileKind, write_file
from relations.reads import OF_OTHERS, OWN, get_person, get_profile, list_own
from relations.relation import (
    Blocked,
    NotAFavourite,
    NotRelated,
    TooManyFavourites,
    TooManyFollowed,
    TooManyFriends,
    TooManyWithoutReposts,
)
from socialsite.table import NotFound
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.limits import EXPORTS, count_hits

HandleView = Callable[[SiteRequest, str], HttpResponse]


def answer_press(request: SiteRequest, text: str) -> HttpResponse:
    """Answers a press. htmx gets the profile's header as it is now or, in a list of people, the changed row; the page
    anew if nobody sees the person now. Others go back to the page with the button. `text` says what was done."""
    if not request.htmx:
        messages.success(request, text)
        return redirect(back_of(request))
    try:
        return _changed_part(request, text)
    except NotFound:
        messages.success(request, text)
        return HttpResponseClientRefresh()


def _changed_part(request: SiteRequest, text: str) -> HttpResponse:
    person_id = request.people.person_id
    if list_of(request):
        person = get_person(person_id, viewer=request.user)
        context = {"person": person, "list": list_of(request), "text": text}
        return render(request, "relations/_answered_row.html", context)
    profile = get_profile(person_id, viewer=request.user, consistent=True)
    messages.success(request, text)
    header = {"person": profile.person, "relationship": profile.relationship, "is_fresh": True}
    return render(request, "relations/_profile_header.html", header)


def list_of(request: SiteRequest) -> str:
    """Returns the list in which the button was pressed, empty for a profile."""
    place = request.POST.get("place", "")
    return place if place in OWN or place in OF_OTHERS else ""


def back_of(request: SiteRequest) -> str:
    """Returns the address in `next`, otherwise the person's page."""
    handle = str(request.resolver_match.kwargs["handle"]) if request.resolver_match else ""
    return safe_target(request) if "next" in request.GET else f"/@{handle}"


def explain_refusals(view: HandleView) -> HandleView:
    """Tells the person why a service refused, in a toast or on a page with its status. Acting on yourself is a 400.

    The viewer's own block is named. The other person's block is never revealed: the answer is a 404, as on their page.
    """

    @wraps(view)
    def explained(request: SiteRequest, handle: str) -> HttpResponse:
        if request.people.person_id == request.user.user_id:
            raise BadRequest("one is nobody to oneself")
        try:
            return view(request, handle)
        except Blocked:
            get_profile(request.people.person_id, viewer=request.user, consistent=True)
            text = _("You can’t do this because you and @%(handle)s can’t see each other.")
            return _refused(request, text % {"handle": handle}, status=403)
        except TooManyFollowed:
            return _refused(
                request, _("You can follow up to 7,500 people. Unfollow someone first.")
            )
        except TooManyFriends:
            return _refused(
                request, _("One of you already has 1,000 friends, which is as many as we allow.")
            )
        except TooManyFavourites:
            return _refused(request, _("You can have up to 30 favourite people. Remove one first."))
        except TooManyWithoutReposts:
            return _refused(
                request,
                _("You can hide reposts from up to 100 people. Show someone’s reposts first."),
            )
        except NotAFavourite:
            return _refused(
                request, _("Add @%(handle)s to your favourite people first.") % {"handle": handle}
            )
        except NotRelated:
            return _refused(request, _("This request has been answered or withdrawn."))

    return explained


def _refused(request: SiteRequest, text: str, *, status: int = 409) -> HttpResponse:
    if request.htmx:
        messages.error(request, text)
        return HttpResponse(status=status)
    context = {"text": text, "href": back_of(request)}
    return render(request, "relations/refused.html", context, status=status)


def section_or_all(
    request: SiteRequest, template: str, names: tuple[str, ...], context: dict[str, Any]
) -> HttpResponse:
    """Shows the beginning of every list, or a page of the list that `show` names, which htmx gets as rows."""
    name = request.GET.get("show", "")
    context |= {"here": request.get_full_path()}
    if name not in names:
        sections = [_section(request, name) for name in names]
        is_empty = not any(section["rows"] for section in sections)
        return render(request, template, context | {"sections": sections, "is_empty": is_empty})
    section = _section(request, name, cursor=cursor_of(request))
    context |= {"sections": [section], "is_alone": True, "is_empty": not section["rows"]}
    return page_or_fragment(request, template, "relations/_section_rows.html", context | section)


def _section(request: SiteRequest, name: str, cursor: str | None = None) -> dict[str, Any]:
    page = list_own(request.user, name, cursor=cursor)
    links = neighbours(request, page, show=name)
    return {"name": name, "title": _titles()[name], "rows": page.items, **links}


def _titles() -> dict[str, str]:
    return {
        "friend": _("Friend requests"),
        "follow": _("Follow requests"),
        "sent-friend": _("Friend requests you’ve sent"),
        "sent-follow": _("Follow requests you’ve sent"),
        "blocked": _("People you’ve blocked"),
        "muted": _("People you’ve muted"),
    }


@require_safe
@sign_in_required
def data(request: SiteRequest) -> HttpResponse:
    """Offers the viewer's lists as files."""
    return render(request, "relations/data.html")


@require_safe
@sign_in_required
def export_relations(request: SiteRequest, kind: str) -> StreamingHttpResponse:
    """Sends the file while it is read. A fault before the first piece still gets an error page."""
    if kind not in list(FileKind):
        raise NotFound("no such file")
    count_hits((EXPORTS, request.user.user_id))
    pieces = write_file(request.user, FileKind(kind), host=request.get_host())
    response = StreamingHttpResponse(
        chain([next(pieces)], pieces), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{kind}.csv"'
    response["Cache-Control"] = "no-store"
    return response
