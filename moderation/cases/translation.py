"""A link beside a reported text in another language than the moderator's, to a translation service that the site chose.

The site itself never asks that service. The text leaves with the moderator's press alone, as a parameter of an address
that names no page of this site (`noreferrer`). Texts that are not for everyone have no such link.
"""

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import readers_language
from socialsite.texts import shortened

TEXT, TO = "{text}", "{to}"
MOST_CHARACTERS = 1000  # of a text: an address that is much longer is refused by servers


@dataclass(frozen=True, slots=True)
class Translation:
    """`host` is who will read the text."""

    url: str
    host: str


def translation_of(text: str, lang: str | None) -> Translation | None:
    """Returns where to read a public text in the reader's language, None if there is no need: without a service, in a
    language that is theirs, or if nobody knows which it is."""
    pattern, to = site_rules().translate_url, readers_language()
    if not pattern or not text or not lang or _base(lang) == _base(to):
        return None
    said = quote(shortened(text, MOST_CHARACTERS), safe="")
    url = pattern.replace(TO, quote(_base(to), safe="")).replace(TEXT, said)
    return Translation(url, host_of(pattern))


def host_of(pattern: str) -> str:
    return urlsplit(pattern).hostname or ""


def _base(lang: str) -> str:
    return lang.lower().partition("-")[0]


def is_pattern(pattern: str) -> bool:
    """Whether this is an address to which a text can be added: of a web server, by https, with `{text}` once, behind
    the host, and no other field but `{to}`."""
    try:
        parts = urlsplit(pattern)
        port = parts.port
    except ValueError:
        return False
    rest = pattern.replace(TEXT, "").replace(TO, "")
    return (
        parts.scheme == "https"
        and bool(parts.hostname)
        and "@" not in parts.netloc
        and "{" not in parts.netloc
        and port in (None, 443)
        and pattern.count(TEXT) == 1
        and pattern.count(TO) <= 1
        and not set(rest) & set("{} <>\"'\\")
        and rest.isascii()
        and rest.isprintable()
    )
