"""The page of the viewer's own desk: the note for the next shift, handing over, and saved lists of the queue."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.guards import never, permission_required
from accounts.people.cards import PersonCard
from accounts.permissions import Permission, list_staff, permissions_of_role
from accounts.requests import SiteRequest
from moderation.cases.queue_place import QueuePlace
from moderation.desks.forms import FilterForm, HandOverForm, ShiftNoteForm
from moderation.desks.reads import get_desk_top
from moderation.desks.writes import hand_over, remove_filter, save_filter, write_shift_note
from moderation.staff.nav import count_soon
from moderation.staff.views import say_why_not

STAFF = (Permission.CASES, Permission.SIGN_UPS)
PAGE, MINE = "/moderation/desk", "/moderation/queue?queue=mine"


@require_safe
@permission_required(*STAFF)
def desk(request: SiteRequest) -> HttpResponse:
    """Shows the forms, with the note and the saved lists as they are."""
    return _page(request)


@require_POST
@permission_required(*STAFF, changes=never)
def note(request: SiteRequest) -> HttpResponse:
    """Writes the note for the next shift, or takes it back if the text is empty."""
    form = ShiftNoteForm(request.POST)
    if not form.is_valid():
        return _page(request, note_form=form)
    write_shift_note(by=request.user, text=form.cleaned_data["text"])
    saved = _("Note saved.") if form.cleaned_data["text"] else _("Note removed.")
    messages.success(request, saved)
    return redirect("/moderation/queue")


@require_POST
@permission_required(*STAFF)
def give(request: SiteRequest) -> HttpResponse:
    """Hands over what lies on the viewer's desk."""
    form = HandOverForm(request.POST, colleagues=_colleagues(request))
    if not form.is_valid():
        return _page(request, give_form=form)
    to, text = form.cleaned_data["to"], form.cleaned_data["note"]
    number = hand_over(by=request.user, moderator_id=to, text=text)
    count_soon()
    said = ngettext("%(n)d case handed over.", "%(n)d cases handed over.", number)
    messages.success(request, said % {"n": number} if number else _("Your desk is empty."))
    return redirect(MINE)


@require_POST
@permission_required(*STAFF, changes=never)
def save(request: SiteRequest) -> HttpResponse:
    """Saves the list in the address under a name."""
    place, form = QueuePlace.from_query(request.GET), FilterForm(request.POST)
    if form.is_valid():
        with say_why_not(form, "name"):
            save_filter(by=request.user, name=form.cleaned_data["name"], place=place)
    if not form.is_valid():
        return _page(request, filter_form=form, place=place)
    messages.success(request, _("List saved."))
    return redirect(place.url)


@require_POST
@permission_required(*STAFF, changes=never)
def remove(request: SiteRequest) -> HttpResponse:
    """Removes a saved list. Does nothing if there is none of this name."""
    remove_filter(by=request.user, name=request.POST.get("name", ""))
    messages.success(request, _("List removed."))
    return redirect(PAGE)


def _colleagues(request: SiteRequest) -> list[PersonCard]:
    needed = {Permission.CASES, Permission.SIGN_UPS}
    return [
        person
        for person in list_staff()
        if person.user_id != request.user.user_id and needed & permissions_of_role(person.role)
    ]


def _page(request: SiteRequest, **forms: Any) -> HttpResponse:
    top = get_desk_top(request.user)
    context = {
        "top": top,
        "note_form": ShiftNoteForm(initial={"text": top.own_note}),
        "give_form": HandOverForm(colleagues=_colleagues(request)),
        **forms,
    }
    return render(request, "moderation/desks/desk.html", context, status=422 if forms else 200)
