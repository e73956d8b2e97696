"""Muting for a time or until further notice: a small page, or a dialog."""

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import reswap, retarget

from accounts.requests import SiteRequest, sign_in_required
from relations.forms.mute import MuteForm
from relations.profiles import find_person, get_profile
from relations.services import mute as service
from relations.views.answers import answer_press, back_of, explain_refusals
from socialsite.web.fragments import form_page, wanted_state


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
@explain_refusals
def mute(request: SiteRequest, handle: str) -> HttpResponse:
    """Asks for how long, then mutes (`on=1`), or unmutes (`on=0`), also someone who blocks the viewer: that is done
    before the answer is the one of their page."""
    by, person_id = request.user, request.people.person_id
    unmutes = request.method == "POST" and not wanted_state(request)
    if unmutes:
        service.unmute(by=by, user_id=person_id)
    if request.method == "POST":
        find_person(person_id, viewer=by)
    if unmutes:
        text = _("You’ve unmuted @%(handle)s.")
        return answer_press(request, text % {"handle": handle})
    form = MuteForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, form)
    length = form.cleaned_data["length"]
    until = timezone.now() + length if length else None
    service.mute(by=by, user_id=person_id, until=until)
    text = _("You’ve muted @%(handle)s. We won’t tell them.")
    return answer_press(request, text % {"handle": handle})


def _page(request: SiteRequest, form: MuteForm) -> HttpResponse:
    profile = get_profile(request.people.person_id, viewer=request.user)
    context = {
        "person": profile.person,
        "form": form,
        "back": back_of(request),
        "next": request.GET.get("next", ""),
    }
    response = form_page(
        request, "relations/mute.html", context, fragment="relations/_mute_form.html"
    )
    return reswap(retarget(response, "#modal"), "innerHTML")
