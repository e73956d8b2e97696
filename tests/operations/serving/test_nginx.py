"""The nginx that `make serve` runs is the shipped configuration, but for ports and files."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from operations.serving.nginx import SHIPPED, Places, configuration

PLACES = Places(
    outer="127.0.0.1:9443",
    inner="127.0.0.1:9002",
    app="127.0.0.1:9000",
    health="127.0.0.1:9001",
    certificate=Path("/some where/tls.pem"),
    key=Path("/some where/tls.pem"),
    workers=4,
    hosts=("localhost", "127.0.0.1", "[::1]"),
)


def test_only_what_is_marked_as_the_operators_own_differs() -> None:
    shipped = SHIPPED.read_text()
    kept = set(configuration(shipped, PLACES).splitlines())
    changed = [line for line in shipped.splitlines() if line not in kept]
    assert [line for line in changed if "# yours" not in line and "8002" not in line] == []


def test_nothing_of_the_shipped_places_is_left() -> None:
    made = configuration(SHIPPED.read_text(), PLACES)
    assert not [word for word in ("8000", "8001", "8002", "example.org", "/run/") if word in made]
    assert "limit_conn site 48;" in made


@pytest.mark.parametrize(
    "gone", ["listen 443 ssl", "limit_conn site 24;", "127.0.0.1:8002", "example\\.org"]
)
def test_a_shipped_file_that_lacks_a_place_is_noticed(gone: str) -> None:
    with pytest.raises(ValueError, match=r"deploy/nginx\.conf has no"):
        configuration(SHIPPED.read_text().replace(gone, ""), PLACES)


def uploads(resolver: URLResolver, start: str = "") -> Iterator[tuple[str, int]]:
    """The addresses, each with an example of what stands in it, and how many bytes of upload they take."""
    for entry in resolver.url_patterns:
        address = start + re.sub(r"<[^>]*>", "x", str(entry.pattern))
        if isinstance(entry, URLResolver):
            yield from uploads(entry, address)
        elif isinstance(entry, URLPattern):
            yield f"/{address}", getattr(entry.callback, "upload_bytes", 0)


def test_addresses_that_take_uploads_get_them_and_no_others() -> None:
    """A little more than the site takes, so that it is the site that refuses what is too large."""
    shipped = SHIPPED.read_text()
    large = re.compile(re.findall(r"location ~ (\S+) {", shipped)[0])
    sizes = [int(size) * 1024**2 for size in re.findall(r"client_max_body_size (\d+)m;", shipped)]
    assert sizes == [sizes[0], sizes[1], sizes[1]]
    forms = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    for address, most in uploads(get_resolver()):
        assert bool(large.fullmatch(address)) == bool(most), address
        assert most + forms < (sizes[1] if most else sizes[0]), address
