"""The headers of static files: a policy of their own, as strict as that of photos, and few others.

A file of ours needs nothing of what a page may do, and a first visit fetches five of them with their headers. A browser
that opens one as a document holds it in a sandbox: no script runs in it, no window shares its origin, and no page
frames it. Nor does a file lead or ask for anything elsewhere. So what guards pages against these things says nothing
more about a file.
"""

from django.http import HttpResponseBase
from whitenoise.middleware import WhiteNoiseFileResponse

POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
# The name of a file changes with its content, so its ETag is enough for the few who ask again.
NOT_OF_FILES = ("Cross-Origin-Opener-Policy", "Referrer-Policy", "Last-Modified")


def add_policy(headers: dict[str, str], _path: str, _url: str) -> None:
    """Adds the policy before the middleware of pages would add theirs."""
    headers["Content-Security-Policy"] = POLICY


def is_file(response: HttpResponseBase) -> bool:
    return isinstance(response, WhiteNoiseFileResponse)


def drop_what_guards_pages(response: HttpResponseBase) -> None:
    """Drops the headers that the policy of files makes idle, and lets none follow."""
    for name in NOT_OF_FILES:
        del response[name]
    response.xframe_options_exempt = True  # type: ignore[attr-defined]
