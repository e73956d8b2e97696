"""Serves uploads from the local folder, with headers that make browsers treat them only as pictures.

With `MEDIA_BUCKET` they are in S3, and this view has no route.
"""

import re

from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponseBase

from socialsite.table.errors import NotFound

NAME = re.compile(r"(avatars/[0-9A-Z]{26}|headers/[0-9A-Z]{26}-(1500|750))\.webp")


def media(request: HttpRequest, name: str) -> HttpResponseBase:
    if not NAME.fullmatch(name) or not default_storage.exists(name):
        raise NotFound(name)
    response = FileResponse(default_storage.open(name), content_type="image/webp")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response
