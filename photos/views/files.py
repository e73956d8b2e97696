"""The files of photos, with headers that make browsers treat them only as pictures.

What everyone may see asks the table nothing, the rest whether the viewer is still signed in and no block came. What is
unknown, expired or for somebody else is not found, without a difference.
"""

from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from accounts.access_patterns import read_signed_in
from accounts.requests import SiteRequest
from photos.addresses import is_signed, seconds_left, signed_name
from photos.files import NAMES, PRIVATE, PUBLIC, open_file
from photos.responses import picture_response
from relations.models import RelationType
from relations.relation import blocks_either_way
from socialsite.table import keys
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
    opens nothing once it has ended. As `read_signed_in`, and with a block of its owner 2 read units; nothing for an
    address that is not theirs."""
    hour, owner_id = request.GET.get("e", ""), request.GET.get("o", "")
    viewer_id, secret_hash = request.people.session
    signature, name_signed = request.GET.get("s", ""), signed_name(secret, owner_id)
    if not is_signed(name_signed, hour=hour, signature=signature, viewer_id=viewer_id):
        raise NotFound("not for this viewer")
    block = [keys.relation(viewer_id, RelationType.BLOCK, owner_id)] if owner_id else []
    found = read_signed_in(viewer_id, secret_hash, beside=block)
    if found is None or any(map(blocks_either_way, found.values())):
        raise NotFound("signed out, or blocked")
    response = _file(PRIVATE, secret, name)
    response["Cache-Control"] = f"private, max-age={seconds_left(hour)}, immutable"
    return response


def _file(folder: str, secret: str, name: str) -> FileResponse:
    if name not in NAMES:
        raise NotFound("no such size")
    return picture_response(open_file(folder, secret, name), name)
