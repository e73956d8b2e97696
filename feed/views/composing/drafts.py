"""Drafts: the page that lists them, saving one, and deleting one."""

from contextlib import suppress

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.composing.composition import Composition
from feed.composing.drafts import get_draft, list_drafts
from feed.forms.blank import BlankForm
from feed.forms.drafts import DraftForm
from feed.photos.attaching import CannotAttach
from feed.photos.taking import descriptions_in, take_photos_of_draft
from feed.services.composing.delete_draft import delete_draft
from feed.services.composing.save_draft import (
    DraftGone,
    DraftTooLong,
    SavedDraft,
    TooManyDrafts,
    save_draft,
)
from photos.limits import MOST_PHOTOS
from socialsite.clock import utc_now
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import ids
from socialsite.table.as_read import Moved
from socialsite.web.bounds.bodies import takes_upload
from socialsite.web.fragments import cursor_of, form_page, neighbours, page_or_fragment

GONE = _lazy("You’ve published or deleted this draft. Copy what you need.")


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def drafts(request: SiteRequest) -> HttpResponse:
    """Shows the viewer's drafts, the newest first. A POST saves what a composer holds."""
    if request.method == "POST":
        return _save(request)
    page = list_drafts(request.user, cursor=cursor_of(request))
    context = {"rows": page.items, **neighbours(request, page)}
    return page_or_fragment(
        request, "feed/composing/drafts.html", "feed/composing/_drafts_page.html", context
    )


def _save(request: SiteRequest) -> HttpResponse:
    """Saves a draft. A page that saves by itself (`autosave`) gets the draft's id and version, or why not, as JSON. A
    press of the button leads to the drafts, or empties the composer for htmx."""
    form = DraftForm(request.POST, request.FILES, circles=request.user.circles)
    by_itself = "autosave" in request.POST
    if not take_photos_of_draft(form, by=request.user):
        return _not_saved(request, form)
    composition, seen = Composition.of(form.cleaned_data), form.cleaned_data["seen"]
    if composition.is_empty:
        return _empty(request, form)
    try:
        saved = save_draft(
            by=request.user,
            composition=composition,
            seen=seen,
            descriptions=descriptions_in(form),
        )
    except TooManyDrafts:
        form.add_error(None, _("You have 100 drafts. Delete some to save another one."))
    except DraftTooLong:
        form.add_error(None, _("This is too long for a draft. Shorten it."))
    except DraftGone:
        form.add_error(None, ValidationError(GONE, code="gone"))
    else:
        return _answer_script(saved) if by_itself else _answer(request, saved)
    return _not_saved(request, form)


def _empty(request: SiteRequest, form: DraftForm) -> HttpResponse:
    """Nothing is left of a text: the draft goes, and what is typed next is another one."""
    seen = form.cleaned_data["seen"]
    if "autosave" not in request.POST:
        form.add_error("content", _("Write something first."))
        return _not_saved(request, form)
    if seen.draft_id and seen.version:
        with suppress(Moved):  # another page has it now
            delete_draft(by=request.user, draft_id=seen.draft_id, version=seen.version)
    return JsonResponse({"draft": ids.new_id(), "version": "", "said": ""})


def _answer_script(saved: SavedDraft) -> HttpResponse:
    now = date_format(timezone.localtime(utc_now()), "TIME_FORMAT")
    said = _("Saved %(time)s") % {"time": now}
    if saved.is_beside:
        said = _("Changed on another device. Both texts are in your drafts.")
    if saved.lost:
        said = f"{said} {CannotAttach(saved.lost).sentence}"
    answer = {"draft": saved.draft_id, "version": str(saved.version), "said": said}
    return JsonResponse(answer, status=409 if saved.is_beside else 200)


def _answer(request: SiteRequest, saved: SavedDraft) -> HttpResponse:
    if saved.is_beside:
        text = _("This draft was changed on another device. Both texts are in your drafts.")
        messages.warning(request, text)
    else:
        messages.success(request, _("Draft saved."))
    if saved.lost:
        messages.warning(request, CannotAttach(saved.lost).sentence)
    if request.htmx:
        fresh = BlankForm(circles=request.user.circles)
        return render(request, "feed/_composer.html", {"form": fresh})
    return redirect("/drafts")


def _not_saved(request: SiteRequest, form: DraftForm) -> HttpResponse:
    if "autosave" in request.POST:
        said = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return JsonResponse(
            {"said": said, "isGone": form.has_error(NON_FIELD_ERRORS, "gone")}, status=422
        )
    context = {"form": form}
    return page_or_fragment(
        request, "feed/compose.html", "feed/_composer.html", context, status=422
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete(request: SiteRequest, draft_id: str) -> HttpResponse:
    """Asks, then deletes one of the viewer's drafts."""
    if request.method != "POST":
        return _ask(request, draft_id)
    version = request.POST.get("version", "")
    try:
        delete_draft(
            by=request.user, draft_id=draft_id, version=int(version) if version.isdecimal() else 0
        )
    except Moved:
        messages.warning(request, _("This draft was changed meanwhile, so it is still here."))
    else:
        messages.success(request, _("Draft deleted."))
    return redirect("/drafts")


def _ask(request: SiteRequest, draft_id: str) -> HttpResponse:
    context = {"draft": get_draft(draft_id, viewer=request.user)}
    page, fragment = "feed/composing/delete_draft.html", "feed/composing/_delete_draft_form.html"
    return form_page(request, page, context, fragment=fragment)
