"""The button that turns notifications of a favourite's posts on and off."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from relations.profiles import find_person
from relations.services import subscribe as service
from relations.views.answers import answer_press, explain_refusals
from socialsite.web.fragments import wanted_state


@require_POST
@sign_in_required
@explain_refusals
def subscribe(request: SiteRequest, handle: str) -> HttpResponse:
    """Notifies the viewer of each new post of the person, a favourite (`on=1`), or no longer (`on=0`)."""
    person_id = find_person(request.people.person_id, viewer=request.user).user_id
    if wanted_state(request):
        service.subscribe(by=request.user, user_id=person_id)
        text = _("We’ll notify you when @%(handle)s posts.")
    else:
        service.unsubscribe(by=request.user, user_id=person_id)
        text = _("We won’t notify you when @%(handle)s posts.")
    return answer_press(request, text % {"handle": handle})
