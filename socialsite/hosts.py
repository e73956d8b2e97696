"""Host names in one spelling, as browsers read them, so that a block works for every way of writing a host."""

import re
from urllib.parse import unquote

import idna

HOST = re.compile(r"(?=.{4,253}\Z)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}")
MOST_OF_LABEL = 63  # characters


def normal_host(text: str) -> str:
    """Returns a host in lower-case ASCII (`xn--…`), without dots at its ends. Percent signs are decoded, and characters
    of other widths and dots of other scripts are mapped by UTS 46. A text that cannot be a host comes back in lower
    case."""
    host = unquote(text.strip())
    try:
        mapped = idna.uts46_remap(host, std3_rules=False)
    except idna.IDNAError:
        mapped = host.lower()
    return ".".join(_ascii_label(label) for label in mapped.strip(".").split("."))


def is_host(text: str) -> bool:
    """Whether a normal host has a domain and could exist on the internet."""
    return HOST.fullmatch(text) is not None


def is_within(host: str, domain: str) -> bool:
    """Whether a normal host is the domain or a subdomain of it."""
    return host == domain or host.endswith(f".{domain}")


def _ascii_label(label: str) -> str:
    # Longer hosts do not exist, and encoding takes time that grows with the square of the length.
    if label.isascii() or len(label) > MOST_OF_LABEL:
        return label
    return f"xn--{label.encode('punycode').decode()}"
