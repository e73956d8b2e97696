"""Middleware that compresses pages: with brotli for browsers that take it, with gzip for others.

Static files are compressed beforehand, at the highest level (whitenoise). Pages are compressed for each answer;
docs/performance.md says why at this level. Streamed answers keep Django's gzip.

An address or a search that comes back in a page beside a secret could tell the secret by the page's length (BREACH).
Django hides the length of gzip by a random file name. Here it is a metadata block of random length (RFC 7932, section
9.2), which decoders pass over.
"""

import re
import secrets

import brotli
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

LEVEL = 5
WINDOW = 17  # 2**17 bytes: most pages fit, and more memory would gain nothing
LEAST = 200  # bytes, as Django's gzip
MOST_PADDING = GZipMiddleware.max_random_bytes
_refused = re.compile(r"q=0(\.0*)?$").search


class CompressionMiddleware(GZipMiddleware):
    """Django's own, with brotli before gzip."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if isinstance(response, HttpResponse) and not response.has_header("Content-Encoding"):
            patch_vary_headers(response, ("Accept-Encoding",))
            if takes_brotli(request.headers.get("Accept-Encoding", "")):
                return _in_brotli(response)
        return super().process_response(request, response)


def takes_brotli(accepted: str) -> bool:
    """Returns whether a browser that sends this `Accept-Encoding` takes brotli."""
    for coding in accepted.lower().split(","):
        name, _, weight = coding.partition(";")
        if name.strip() == "br":
            return not _refused(weight.replace(" ", ""))
    return False


def _in_brotli(response: HttpResponse) -> HttpResponse:
    if len(response.content) < LEAST:
        return response
    compressed = compress(response.content)
    if len(compressed) >= len(response.content):
        return response
    response.content = compressed
    response.headers["Content-Length"] = str(len(compressed))
    response.headers["Content-Encoding"] = "br"
    etag = response.headers.get("ETag", "")
    if etag.startswith('"'):  # strong: of the bytes themselves, which are others now
        response.headers["ETag"] = f"W/{etag}"
    return response


def compress(content: bytes) -> bytes:
    """Returns the content in brotli, of another length each time."""
    compressor = brotli.Compressor(mode=brotli.MODE_TEXT, quality=LEVEL, lgwin=WINDOW)
    compressed: bytes = compressor.process(content) + compressor.flush()
    return compressed + _padding() + compressor.finish()


def _padding() -> bytes:
    """Returns a metadata block of up to `MOST_PADDING` zeros. A flushed stream ends with a whole byte, so the block can
    follow. Its head, from the lowest bit on: not the last block (0), metadata (11), reserved (0), one byte tells the
    length (01), then the length less one in eight bits, filled up to whole bytes."""
    length = 1 + secrets.randbelow(MOST_PADDING)
    head = 0b01_0_11_0 | (length - 1) << 6
    return head.to_bytes(2, "little") + bytes(length)
