"""Uploads kept in the local folder, served so that a browser treats them as nothing but pictures.

With `MEDIA_BUCKET` set they live in S3 and this view is not routed.
"""

import re

from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponseBase

from socialsite.table.errors import NotFound

NAME = re.compile(r"avatars/[0-9A-Z]{26}\.webp")


def media(request: HttpRequest, name: str) -> HttpResponseBase:
    if not NAME.fullmatch(name) or not default_storage.exists(name):
        raise NotFound(name)
    response = FileResponse(default_storage.open(name), content_type="image/webp")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response
