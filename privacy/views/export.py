"""Taking all data of an account along: asking for them, seeing how far they are, and downloading them."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import proof_required
from accounts.requests import SiteRequest, account_required
from privacy.export.parts import open_zip
from privacy.export.resuming import send_file
from privacy.export.state import get_export
from privacy.services.ask_for_export import AlreadyExported, ask_for_export
from privacy.services.open_download import open_download
from socialsite.table.errors import NotFound
from socialsite.web.fragments import page_or_fragment
from socialsite.web.time_zones import zone_at_hand

PAGE = "/settings/export"
FILE = "/settings/export/file"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
def export(request: SiteRequest) -> HttpResponseBase:
    """Shows how the export stands, and to htmx that alone. A POST asks for one."""
    if request.method == "POST":
        return _ask(request)
    context = {"export": get_export(request.user.account_id)}
    return page_or_fragment(request, "privacy/export.html", "privacy/_export.html", context)


@proof_required(back_to=PAGE)
def _ask(request: SiteRequest) -> HttpResponse:
    """A press that is repeated finds the export under way."""
    try:
        ask_for_export(
            by=request.user,
            site=request.build_absolute_uri("/").rstrip("/"),
            language=get_language() or "en",
            zone=zone_at_hand(),
        )
    except AlreadyExported:
        messages.info(request, _("You already asked for a copy."))
    return redirect(PAGE)


@require_POST
@account_required
@proof_required(back_to=PAGE)
def open_file(request: SiteRequest) -> HttpResponse:
    """Opens the download for ten minutes, and leads to it."""
    found = get_export(request.user.account_id)
    if found is None:
        raise NotFound("no export")
    open_download(by=request.user, export=found)
    return redirect(FILE)


@require_safe
@account_required
def send_export(request: SiteRequest) -> HttpResponseBase:
    """Sends the zip, or the part of it that is missing yet, while the download is open. Else leads to the page, where
    it can be opened."""
    found = get_export(request.user.account_id)
    if found is None or not found.is_open_to(request.user.secret_hash):
        return redirect(PAGE)
    try:
        file = open_zip(found.user_id, found.export_id)
    except FileNotFoundError as error:
        raise NotFound("the files of the export are gone") from error
    name = f"socialsite-{found.asked_at[:10]}.zip"
    return send_file(request, file, size=found.size, name=name, etag=found.export_id)
