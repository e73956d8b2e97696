"""The files of photos, with headers that make browsers treat them only as pictures.

What everyone may see asks the table nothing, the rest whether the viewer is still signed in and no block came. What is
unknown, expired or for somebody else is not found, without a difference.
"""

from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from photos.access_patterns import may_open
from photos.addresses import is_signed, seconds_left, signed_name
from photos.files import NAMES, PRIVATE, PUBLIC, open_file
from photos.responses import picture_response
from socialsite.table.errors import NotFound

A_DAY = 86_400  # seconds; what is deleted shall be gone everywhere after that


@require_safe
def public_photo(request: HttpRequest, secret: str, name: str) -> HttpResponseBase:
    """Serves what everyone may see. The same address always has the same picture."""
    response = _file(PUBLIC, secret, name)
    response["Cache-Control"] = f"public, max-age={A_DAY}, immutable"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # previews on other sites
    return response


@require_safe
def private_photo(request: SiteRequest, secret: str, name: str) -> HttpResponseBase:
    """Serves a picture to the viewer for whom the address was made, while their sign-in lasts: a copy of the cookie
    opens nothing once it has ended. Costs as `may_open`, and nothing for an address that is not theirs."""
    hour, owner_id = request.GET.get("e", ""), request.GET.get("o", "")
    viewer_id, secret_hash = request.people.session
    signature, name_signed = request.GET.get("s", ""), signed_name(secret, owner_id)
    if not is_signed(name_signed, hour=hour, signature=signature, viewer_id=viewer_id):
        raise NotFound("not for this viewer")
    if not may_open(viewer_id, secret_hash, owner_id=owner_id):
        raise NotFound("signed out, or blocked")
    response = _file(PRIVATE, secret, name)
    response["Cache-Control"] = f"private, max-age={seconds_left(hour)}, immutable"
    return response


def _file(folder: str, secret: str, name: str) -> FileResponse:
    if name not in NAMES:
        raise NotFound("no such size")
    return picture_response(open_file(folder, secret, name), name)
