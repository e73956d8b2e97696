"""The star button, which makes someone a favourite."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from relations.profiles import find_person
from relations.services import favourite as service
from relations.views.answers import answer_press, explain_refusals
from socialsite.web.fragments import wanted_state


@require_POST
@sign_in_required
@explain_refusals
def favourite(request: SiteRequest, handle: str) -> HttpResponse:
    """Makes the person a favourite (`on=1`) or removes them (`on=0`)."""
    person_id = find_person(request.people.person_id, viewer=request.user).user_id
    if wanted_state(request):
        service.favourite(by=request.user, user_id=person_id)
        text = _("@%(handle)s is now one of your favourite people.")
    else:
        service.unfavourite(by=request.user, user_id=person_id)
        text = _("@%(handle)s is no longer one of your favourite people.")
    return answer_press(request, text % {"handle": handle})
