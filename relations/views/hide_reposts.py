"""The entry of a person's menu that hides their reposts."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from relations.profiles import find_person
from relations.services import hide_reposts as service
from relations.views.answers import answer_press, explain_refusals
from socialsite.web.fragments import wanted_state


@require_POST
@sign_in_required
@explain_refusals
def hide_reposts(request: SiteRequest, handle: str) -> HttpResponse:
    """Hides a person's reposts (`on=1`) or shows them again (`on=0`), also of someone who blocks the viewer: that is
    done before the answer is the one of their page."""
    me, person_id, hides = request.people.viewer, request.people.person_id, wanted_state(request)
    if not hides:
        service.show_reposts(by=me, user_id=person_id)
    find_person(person_id, viewer=me)
    others = tuple(one for one in me.without_reposts if one != person_id)
    if hides:
        service.hide_reposts(by=me, user_id=person_id)
        request.user = replace(me, without_reposts=(*others, person_id))
        text = _("Reposts by @%(handle)s are no longer in your home timeline.")
    else:
        request.user = replace(me, without_reposts=others)
        text = _("Reposts by @%(handle)s are in your home timeline again.")
    return answer_press(request, text % {"handle": handle})
