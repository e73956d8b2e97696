"""Requests to follow and to be friends, received and sent."""

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from relations.profiles import find_person
from relations.services import follow_requests
from relations.views.answers import answer_press, explain_refusals
from relations.views.sections import section_or_all

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
            follow_requests.accept_follow_request(by=by, user_id=person_id)
            text = _("@%(handle)s now follows you.")
        case "decline":
            follow_requests.decline_follow_request(by=by, user_id=person_id)
            text = _("Declined. We won’t tell @%(handle)s.")
        case "withdraw":
            follow_requests.withdraw_follow_request(by=by, user_id=person_id)
            text = _("You’ve withdrawn your request to @%(handle)s.")
        case _other:
            raise BadRequest("answer is accept, decline or withdraw")
    return answer_press(request, text % {"handle": handle})
