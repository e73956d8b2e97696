"""Names of hosts in one spelling, as browsers read them, so that what is blocked is found however it is written."""

import re
from urllib.parse import unquote

import idna

HOST = re.compile(r"(?=.{4,253}\Z)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}")
MOST_OF_LABEL = 63  # characters


def normal_host(text: str) -> str:
    """Returns a host in lower case and in ASCII (`xn--…`), without dots at its ends: percent signs decoded, signs of
    other widths and dots of other scripts mapped by UTS 46. What cannot be a host comes back in lower case."""
    host = unquote(text.strip())
    try:
        mapped = idna.uts46_remap(host, std3_rules=False)
    except idna.IDNAError:
        mapped = host.lower()
    return ".".join(_ascii_label(label) for label in mapped.strip(".").split("."))


def is_host(text: str) -> bool:
    """Whether a normal host has a domain and could be asked for in the net."""
    return HOST.fullmatch(text) is not None


def is_within(host: str, domain: str) -> bool:
    """Whether a normal host is the domain or stands below it."""
    return host == domain or host.endswith(f".{domain}")


def _ascii_label(label: str) -> str:
    # A longer one cannot be asked for, and encoding takes time in step with the square of its length.
    if label.isascii() or len(label) > MOST_OF_LABEL:
        return label
    return f"xn--{label.encode('punycode').decode()}"
