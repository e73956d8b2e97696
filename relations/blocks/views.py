"""Blocking, after being asked, and unblocking; muting for a time or until further notice, on a small page or in a
dialog; and the viewer's blocks and mutes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget

from accounts.requests import SiteRequest, sign_in_required
from relations.blocks import writes
from relations.forms import MuteForm
from relations.reads import find_person, get_profile
from relations.views import answer_press, back_of, explain_refusals, list_of, section_or_all
from socialsite.web.fragments import form_page, page_or_fragment, wanted_state


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
        writes.block(by=by, user_id=person_id)
        text = _("You’ve blocked @%(handle)s. You won’t see each other any more.")
    else:
        writes.unblock(by=by, user_id=person_id)
        text = _("You’ve unblocked @%(handle)s.")
    text %= {"handle": handle}
    if list_of(request):
        return answer_press(request, text)
    messages.success(request, text)
    to = back_of(request)
    return HttpResponseClientRedirect(to) if request.htmx else redirect(to)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
@explain_refusals
def mute(request: SiteRequest, handle: str) -> HttpResponse:
    """Asks for how long, then mutes (`on=1`), or unmutes (`on=0`), also someone who blocks the viewer: that is done
    before the answer is the one of their page."""
    by, person_id = request.user, request.people.person_id
    unmutes = request.method == "POST" and not wanted_state(request)
    if unmutes:
        writes.unmute(by=by, user_id=person_id)
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
    writes.mute(by=by, user_id=person_id, until=until)
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


@require_safe
@sign_in_required
def blocks(request: SiteRequest) -> HttpResponse:
    """Shows the people the viewer blocked and muted."""
    names = ("blocked", "muted")
    return section_or_all(request, "relations/blocks.html", names, {"tab": "blocks"})
