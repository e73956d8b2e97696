"""Pages of operators and developers: the worker, and letters that were not sent."""

from email.message import EmailMessage
from ipaddress import ip_address

from csp.constants import SELF
from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.mail.folder import list_letters, read_letter
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from socialsite.streams.status import list_jobs, read_worker_status
from socialsite.table import NotFound
from socialsite.web.limits import client_address

# The letters that a site without a mail server keeps as files: for developers, at `/dev/mail`.
#
# Letters hold links that open accounts, so the pages exist in debug mode only, and for browsers on this
# machine.

NO_SCRIPTS = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)


@require_safe
@never_cache
def letters(request: HttpRequest) -> HttpResponse:
    """Lists the newest letters."""
    _must_be_here(request)
    return render(request, "operations/dev_mail.html", {"letters": list_letters()})


@require_safe
@never_cache
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
def show_letter(request: HttpRequest, letter_id: str) -> HttpResponse:
    """Shows a letter as text, and its HTML in a frame."""
    letter = _letter(request, letter_id)
    context = {"letter": letter, "letter_id": letter_id, "text": _body(letter, "plain")}
    return render(request, "operations/dev_letter.html", context)


@require_safe
@never_cache
@xframe_options_sameorigin
def letter_html(request: HttpRequest, letter_id: str) -> HttpResponse:
    """Shows the HTML of a letter as a mail program would: without scripts, frames and other machines."""
    response = HttpResponse(_body(_letter(request, letter_id), "html"))
    response["Content-Security-Policy"] = NO_SCRIPTS
    return response


def _must_be_here(request: HttpRequest) -> None:
    try:
        is_here = ip_address(client_address(request)).is_loopback
    except ValueError:
        is_here = False
    if not (settings.DEBUG and is_here):
        raise NotFound("letters are shown to developers alone")


def _letter(request: HttpRequest, letter_id: str) -> EmailMessage:
    _must_be_here(request)
    letter = read_letter(letter_id)
    if letter is None:
        raise NotFound(letter_id)
    return letter


def _body(letter: EmailMessage, kind: str) -> str:
    part = letter.get_body([kind])
    return str(part.get_content()) if part else ""


@require_safe
@permission_required(Permission.WORKER)
def worker(request: SiteRequest) -> HttpResponse:
    """Shows in detail what `/readyz` sums up, and the jobs under way."""
    shown = {"worker": read_worker_status(), "jobs": list_jobs()}
    return render(request, "operations/worker.html", shown)
