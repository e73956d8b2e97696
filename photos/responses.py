"""The answer with a picture: headers that make browsers treat it only as one."""

from typing import IO

from django.http import FileResponse


def picture_response(file: IO[bytes], name: str) -> FileResponse:
    kind = "image/jpeg" if name.endswith(".jpg") else "image/webp"
    response = FileResponse(file, content_type=kind)
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response
