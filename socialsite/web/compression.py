"""What a page loses on its way: indentation, and bytes."""

import re
import secrets

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.template import Engine, Origin
from django.template.loaders import cached
from django.utils.cache import patch_vary_headers

# The loader of templates: without their indentation and empty lines, a sixth of a page that no reader sees.
#
# Templates keep their white space in debug mode, whose error pages show the lines of the file.

# What is inside stays as it is: white space is shown there, or is part of a text that catalogues are asked for.
KEPT = re.compile(
    r"(<(pre|textarea|script|style)\b.*?</\2>"
    r"|\{% *(verbatim|comment|blocktrans(?:late)?)\b.*?\{% *end\3\b.*?%\})",
    re.DOTALL,
)
# Comments and loaded libraries draw nothing, so the lines around them are one run of white space.
RUN = re.compile(r"(?:\s|\{#.*?#\}|(?:\{% *load\b.*?%\}))+")
LOAD = re.compile(r"\{% *load\b.*?%\}")


class Loader(cached.Loader):
    """Django's own, which finds templates as the others do and compiles each once."""

    def __init__(self, engine: Engine) -> None:
        kinds = ("filesystem", "app_directories")
        super().__init__(engine, [f"django.template.loaders.{kind}.Loader" for kind in kinds])

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        is_page = str(origin.template_name).endswith(".html")
        return without_indentation(source) if is_page and not settings.DEBUG else source


def without_indentation(source: str) -> str:
    """Returns the template with one line break for each run of white space that has any. A browser shows both as one
    space, so words and inline elements keep their distance."""
    pieces = []
    end = 0
    for kept in KEPT.finditer(source):
        pieces += [RUN.sub(_shortened, source[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join([*pieces, RUN.sub(_shortened, source[end:])])


def _shortened(run: re.Match[str]) -> str:
    loads = "".join(LOAD.findall(run[0]))
    return f"{loads}\n" if "\n" in run[0] else run[0]


# Middleware that compresses pages: with brotli for browsers that take it, with gzip for others.
#
# Static files are compressed beforehand, at the highest level (whitenoise). Pages are compressed for each
# answer; docs/performance.md says why at this level. Streamed answers keep Django's gzip.
#
# An address or a search that comes back in a page beside a secret could tell the secret by the page's length
# (BREACH). Django hides the length of gzip by a random file name. Here it is a metadata block of random length
# (RFC 7932, section 9.2), which decoders pass over.

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
