"""Names of hosts in one spelling, so that what is blocked is found however it is written."""

import re

HOST = re.compile(r"(?=.{4,253}\Z)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}")


def normal_host(text: str) -> str:
    """In lower case and in ASCII (`xn--…`), without dots at its ends; as it is if it cannot be a host."""
    host = text.strip().strip(".").lower()
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return host


def is_host(text: str) -> bool:
    """Whether a normal host has a domain and could be asked for in the net."""
    return HOST.fullmatch(text) is not None


def is_within(host: str, domain: str) -> bool:
    """Whether a normal host is the domain or stands below it."""
    return host == domain or host.endswith(f".{domain}")
