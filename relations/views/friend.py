"""Friendship: asking, answering, withdrawing and ending."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from relations.profiles import find_person
from relations.services import befriend
from relations.views.answers import answer_press, explain_refusals
from socialsite.web.bounds.limits import REQUESTS, count_hits
from socialsite.web.fragments import wanted_state


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
        befriend.accept_friend(by=by, user_id=person_id)
        text = _("You and @%(handle)s are now friends.")
    elif answer == "decline":
        befriend.decline_friend(by=by, user_id=person_id)
        text = _("Declined. We won’t tell @%(handle)s.")
    elif wanted_state(request):
        count_hits((REQUESTS, by.user_id))
        befriend.request_friend(by=by, user_id=person_id)
        text = _("Friend request sent to @%(handle)s.")
    else:
        befriend.end_friendship(by=by, user_id=person_id)
        befriend.withdraw_friend_request(by=by, user_id=person_id)
        text = _("You and @%(handle)s aren’t friends, and no request is waiting.")
    return answer_press(request, text % {"handle": handle})
