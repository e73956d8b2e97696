"""The star button, which makes someone a favourite; the button that turns notifications of their posts on and off;
and the entry of a person's menu that hides their reposts."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from relations.own_choices import writes
from relations.reads import find_person
from relations.views import answer_press, explain_refusals
from socialsite.web.fragments import wanted_state


@require_POST
@sign_in_required
@explain_refusals
def favourite(request: SiteRequest, handle: str) -> HttpResponse:
    """Makes the person a favourite (`on=1`) or removes them (`on=0`)."""
    person_id = find_person(request.people.person_id, viewer=request.user).user_id
    if wanted_state(request):
        writes.favourite(by=request.user, user_id=person_id)
        text = _("@%(handle)s is now one of your favourite people.")
    else:
        writes.unfavourite(by=request.user, user_id=person_id)
        text = _("@%(handle)s is no longer one of your favourite people.")
    return answer_press(request, text % {"handle": handle})


@require_POST
@sign_in_required
@explain_refusals
def subscribe(request: SiteRequest, handle: str) -> HttpResponse:
    """Notifies the viewer of each new post of the person, a favourite (`on=1`), or no longer (`on=0`)."""
    person_id = find_person(request.people.person_id, viewer=request.user).user_id
    if wanted_state(request):
        writes.subscribe(by=request.user, user_id=person_id)
        text = _("We’ll notify you when @%(handle)s posts.")
    else:
        writes.unsubscribe(by=request.user, user_id=person_id)
        text = _("We won’t notify you when @%(handle)s posts.")
    return answer_press(request, text % {"handle": handle})


@require_POST
@sign_in_required
@explain_refusals
def hide_reposts(request: SiteRequest, handle: str) -> HttpResponse:
    """Hides a person's reposts (`on=1`) or shows them again (`on=0`), also of someone who blocks the viewer: that is
    done before the answer is the one of their page."""
    me, person_id, hides = request.people.viewer, request.people.person_id, wanted_state(request)
    if not hides:
        writes.show_reposts(by=me, user_id=person_id)
    find_person(person_id, viewer=me)
    others = tuple(one for one in me.without_reposts if one != person_id)
    if hides:
        writes.hide_reposts(by=me, user_id=person_id)
        request.user = replace(me, without_reposts=(*others, person_id))
        text = _("Reposts by @%(handle)s are no longer in your home timeline.")
    else:
        request.user = replace(me, without_reposts=others)
        text = _("Reposts by @%(handle)s are in your home timeline again.")
    return answer_press(request, text % {"handle": handle})
