"""Blocking, after being asked, and unblocking."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import SiteRequest, sign_in_required
from relations.profiles import get_profile
from relations.services import block as service
from relations.views.answers import answer_press, back_of, explain_refusals, list_of
from socialsite.web.fragments import page_or_fragment, wanted_state


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
@explain_refusals
def block(request: SiteRequest, handle: str) -> HttpResponse:
    """Asks, then blocks (`on=1`) or unblocks (`on=0`). The whole page reloads, because posts come or go."""
    by, person_id = request.user, request.people.person_id
    if request.method != "POST":
        profile = get_profile(person_id, viewer=by)
        context = {
            "person": profile.person,
            "relationship": profile.relationship,
            "back": back_of(request),
            "next": request.GET.get("next", ""),
        }
        return page_or_fragment(
            request, "relations/block.html", "relations/_block_form.html", context
        )
    if wanted_state(request):
        service.block(by=by, user_id=person_id)
        text = _("You’ve blocked @%(handle)s. You won’t see each other any more.")
    else:
        service.unblock(by=by, user_id=person_id)
        text = _("You’ve unblocked @%(handle)s.")
    text %= {"handle": handle}
    if list_of(request):
        return answer_press(request, text)
    messages.success(request, text)
    to = back_of(request)
    return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
