"""The page of blocked pictures, with imports and exports, and the pages of what to do about an illegal picture in each
country."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from moderation.pictures.forms import (
    MOST_BYTES,
    ImportForm,
    NewProcedureForm,
    ProcedureForm,
    UnblockForm,
    known_country,
)
from moderation.pictures.reads import EVERYWHERE, Procedure, list_procedures
from moderation.pictures.writes import import_blocked, note_export, save_procedure, unblock_picture
from socialsite.blocked_pictures.lists import write_list
from socialsite.blocked_pictures.reads import list_blocked, which_are_held
from socialsite.site_settings.help_lines import country_of_zone
from socialsite.table import NotFound
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import form_page

PAGE = "/moderation/pictures"


@takes_upload(MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def pictures(request: SiteRequest) -> HttpResponse:
    """Says what the list is, and takes a list of others."""
    sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if sent else ImportForm()
    if form.is_valid():
        hashes = import_blocked(by=request.user, rows=form.rows, sha256=form.sha256)
        text = ngettext("%(n)d hash is on the list.", "%(n)d hashes are on the list.", hashes)
        messages.success(request, text % {"n": hashes})
        return redirect(PAGE)
    return _show(request, form, UnblockForm())


def _show(request: SiteRequest, form: ImportForm, unblock_form: UnblockForm) -> HttpResponse:
    context = {"form": form, "unblock_form": unblock_form}
    status = 422 if form.errors or unblock_form.errors else 200
    return render(request, "moderation/pictures/pictures.html", context, status=status)


@require_POST
@permission_required(Permission.SITE)
def export(request: SiteRequest) -> HttpResponseBase:
    """Hands out the whole list. Each time is an entry in the log."""
    note_export(by=request.user)
    response = StreamingHttpResponse(write_list(list_blocked()), content_type="text/csv")
    name = f"blocked-pictures-{timezone.localdate():%Y-%m-%d}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@permission_required(Permission.SITE)
def take_off(request: SiteRequest) -> HttpResponse:
    """Takes a hash off the list. What two kinds of hashes could be is looked for as both."""
    form = UnblockForm(request.POST)
    if form.is_valid():
        there = which_are_held(form.cleaned_data["value"])
        for kind, value in there:
            unblock_picture(by=request.user, kind=kind, value=value)
        if there:
            messages.success(request, _("Taken off the list."))
            return redirect(PAGE)
        form.add_error("value", _("This hash is not on the list."))
    return _show(request, ImportForm(), form)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.CASES, Permission.SITE)
def procedures(request: SiteRequest) -> HttpResponse:
    """Shows what to do: what holds in every country, in the reader's own, and where the others are. Those who set the
    site up can add a country."""
    may_edit = Permission.SITE in permissions_of(request.user)
    form = NewProcedureForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and not may_edit:
        raise NotFound("not permitted")
    if form.is_valid():
        return redirect(f"/moderation/procedures/{form.cleaned_data['country']}")
    found = list_procedures()
    here = country_of_zone(get_current_timezone_name())
    context = {
        "first": [one for one in found if one.country in (EVERYWHERE, here)],
        "others": [one for one in found if one.country not in (EVERYWHERE, here)],
        "may_edit": may_edit,
        **({"form": form} if may_edit else {}),
    }
    return form_page(request, "moderation/pictures/procedures.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def procedure(request: SiteRequest, country: str) -> HttpResponse:
    """Shows and saves what to do in one country."""
    shown = _procedure_of(country)
    initial = {"text": shown.text}
    form = ProcedureForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        save_procedure(by=request.user, country=shown.country, text=form.cleaned_data["text"])
        messages.success(request, _("Saved."))
        return redirect("/moderation/procedures")
    context = {"form": form, "procedure": shown}
    return form_page(request, "moderation/pictures/procedure.html", context)


def _procedure_of(country: str) -> Procedure:
    """Returns what stands for a country, empty where nothing does. Raises `NotFound` if there is no such country."""
    if country != EVERYWHERE:
        try:
            country = known_country(country)
        except ValidationError as error:
            raise NotFound("no such country") from error
    there = {one.country: one for one in list_procedures()}
    return there.get(country) or Procedure(country, "", is_own=False)
