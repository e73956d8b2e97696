"""Styles and scripts, one file each, and the headers of static files."""

import re
from collections.abc import Iterator
from typing import Any, TypeVar

from django.core.files.base import ContentFile
from django.http import HttpResponseBase
from whitenoise.middleware import WhiteNoiseFileResponse
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The headers of static files: a policy of their own, as strict as that of photos, and few others.
#
# A file of ours needs nothing of what a page may do, and a first visit fetches five of them with their headers.
# A browser that opens one as a document holds it in a sandbox: no script runs in it, no window shares its
# origin, and no page frames it. Nor does a file lead or ask for anything elsewhere. So what guards pages
# against these things says nothing more about a file.

POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
NOT_OF_FILES = ("Cross-Origin-Opener-Policy", "Referrer-Policy", "Last-Modified")
# A file whose name changes with its content is kept for ever, so hardly anybody asks for it again.
NOT_OF_KEPT_FILES = ("ETag",)


# What everyone may see may be shown on other sites too: by previews of links, and by apps that are websites. Their
# scripts may read it, which brings them nothing, as no cookie of ours comes along.
ELSEWHERE = {"Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*"}
# What apps show of people without a picture, and of the site. Other icons are for our pages alone: they come with a
# first visit, of which each byte counts.
OF_APPS = re.compile(r"/icons/[\w.-]+\.png")

Response = TypeVar("Response", bound=HttpResponseBase)


def shown_elsewhere(response: Response) -> Response:
    """Returns a picture that apps on other sites may show."""
    for name, value in ELSEWHERE.items():
        response[name] = value
    return response


def add_policy(headers: dict[str, str], _path: str, url: str) -> None:
    """Adds the policy before the middleware of pages would add theirs."""
    headers["Content-Security-Policy"] = POLICY
    if OF_APPS.search(url):
        for name, value in ELSEWHERE.items():
            headers[name] = value


def is_file(response: HttpResponseBase) -> bool:
    return isinstance(response, WhiteNoiseFileResponse)


def drop_what_guards_pages(response: HttpResponseBase) -> None:
    """Drops the headers that the policy of files makes idle, and lets none follow."""
    is_kept = "immutable" in response.headers.get("Cache-Control", "")
    for name in (*NOT_OF_FILES, *(NOT_OF_KEPT_FILES if is_kept else ())):
        del response[name]
    response.xframe_options_exempt = True  # type: ignore[attr-defined]


# Static files as `collectstatic` prepares them: hashed, compressed, with the style sheet and the script in one
# file each.
#
# In development the browser follows the imports itself, so there is no build step and each part stays its own
# file. In production each import would cost another request.

JOINED = (
    "css/site.css",
    "css/rooms.css",
    "css/forms.css",
    "css/photo.css",
    "css/near.css",
    "js/app.js",
    "js/photos.js",
    "js/near.js",
    "js/later.js",
)
IMPORT = re.compile(r'^(?:@import|import) "(?:\./)?([\w-]+\.(?:css|js))";\n', re.MULTILINE)
# A fifth of the script's compressed bytes, and a fourteenth of the style sheet's.
NOT_SERVED = {
    "css": re.compile(r"^ */\*(?s:.*?)\*/\n| +/\*.*?\*/|^ +", re.MULTILINE),
    "js": re.compile(r"^(?: *//.*)?\n| +// .*$|^ +", re.MULTILINE),
}
# White space that a style sheet needs for its readers alone, and the semicolon before a brace.
AROUND = re.compile(r";?\s*([{}])\s*|([;:,])\s+")

Paths = dict[str, tuple[Any, str]]  # name: the storage that has the file, its path there


class JoinedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    def post_process(
        self, paths: Paths, dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        """Joins the files first, because the hash in a name is of the served content."""
        if not dry_run:
            for name in JOINED:
                self.delete(name)
                self.save(name, ContentFile(joined(name, paths).encode()))
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run=dry_run, **options)


def imported_by(name: str, text: str) -> list[str]:
    """Returns the names of the files that a style sheet or a script with this text imports."""
    return [f"{name.rpartition('/')[0]}/{part}" for part in IMPORT.findall(text)]


def joined(name: str, paths: Paths) -> str:
    """Returns the file's text with each import replaced by the imported file's text, without comments,
    blank lines of scripts, indentation, and white space around the punctuation of style sheets."""
    folder, kind = name.rpartition("/")[0], name.rpartition(".")[2]
    text = IMPORT.sub(lambda found: _text(f"{folder}/{found[1]}", paths), _text(name, paths))
    served = NOT_SERVED[kind].sub("", text)
    return AROUND.sub(r"\1\2", served) if kind == "css" else served


def _text(name: str, paths: Paths) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read().decode())
