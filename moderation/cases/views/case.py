"""A case: everything about it on one page, notes on it, a look at posts that were not for everyone, and undoing."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest
from moderation.cases.case_guards import case_looked_at, case_required
from moderation.cases.cases import CaseId, CaseMoved
from moderation.cases.forms.case_texts import NoteForm
from moderation.cases.pages.moved import what_moved
from moderation.cases.services.note import add_note
from moderation.cases.services.reveal_evidence import reveal_evidence
from moderation.cases.services.undo import undo_action
from moderation.cases.views.case_answers import case_context, place_of, read_page, show_case, url_of
from socialsite.table.errors import NotFound


@require_safe
@case_required
def show(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows the case, with the queue beside it."""
    return show_case(request, read_page(request, case_id))


@require_POST
@case_required
def note(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Leaves a note for other moderators. A form that is sent twice leaves one note."""
    form = NoteForm(request.POST)
    page = read_page(request, case_id)
    if not form.is_valid():
        if not request.htmx:
            return show_case(request, page, status=422, note_form=form)
        context = case_context(request, page, note_form=form)
        return render(request, "moderation/cases/_notes.html", context, status=422)
    text = form.cleaned_data["text"]
    last = page.file.notes[-1] if page.file.notes else None
    is_own = last and last.moderator and last.moderator.user_id == request.user.user_id
    if not (last and is_own and last.text == text):
        add_note(by=request.user, case_id=case_id, text=text)
    if not request.htmx:
        return redirect(url_of(case_id, place_of(request, page)))
    page = read_page(request, case_id)
    return render(request, "moderation/cases/_notes.html", case_context(request, page))


@require_POST
@case_looked_at
def reveal(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Shows the posts that were not for everyone, only this time. The log says at which the viewer looked."""
    hidden = read_page(request, case_id).file.hidden_posts
    if not hidden:
        raise NotFound("nothing is covered here")
    reveal_evidence(by=request.user, case_id=case_id, posts=hidden)
    page = read_page(request, case_id, revealed=hidden)
    if request.htmx:
        context = case_context(request, page, is_revealed=True)
        response = render(request, "moderation/cases/_evidence.html", context)
    else:
        response = show_case(request, page, is_revealed=True)
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@case_required
def undo(request: SiteRequest, case_id: CaseId) -> HttpResponse:
    """Undoes an action, and so grants the appeal against it."""
    page = read_page(request, case_id)
    action_id = request.POST.get("action_id", "")
    action = next((one for one in page.file.actions if one.action_id == action_id), None)
    if action is None or not (action.is_undone or page.may_undo(action)):
        raise NotFound("nothing to undo")
    try:
        undo_action(by=request.user, case_id=case_id, action_id=action_id)
    except CaseMoved:
        page = read_page(request, case_id)
        return show_case(request, page, status=409, moved=what_moved(page))
    messages.success(request, _("Undone."))
    return redirect(url_of(case_id, place_of(request, page)))
