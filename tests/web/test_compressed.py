"""Pages come in brotli to browsers that take it, in gzip to others, and their length tells nothing (BREACH)."""

import gzip

import brotli
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from socialsite.web.compression import LEAST, MOST_PADDING, CompressionMiddleware, compress

pytestmark = pytest.mark.usefixtures("table")

PAGE = b"<p>Herons by the canal</p>" * 100
BROWSERS = "gzip, deflate, br, zstd"


def answer(accepted: str, response: HttpResponse | StreamingHttpResponse | None = None):
    request = RequestFactory().get("/", headers={"Accept-Encoding": accepted})
    return CompressionMiddleware(lambda _: response or HttpResponse(PAGE))(request)


@pytest.mark.parametrize("accepted", [BROWSERS, "br", "br;q=0.5, gzip", "gzip, BR ; q=1.0"])
def test_a_browser_that_takes_brotli_gets_it(accepted):
    response = answer(accepted)
    assert response["Content-Encoding"] == "br"
    assert brotli.decompress(response.content) == PAGE
    assert response["Content-Length"] == str(len(response.content))
    assert response["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("accepted", ["gzip", "gzip, br;q=0", "gzip, br; q=0.00", "brotli, gzip"])
def test_another_gets_gzip(accepted):
    response = answer(accepted)
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content) == PAGE
    assert response["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("accepted", ["", "identity", "br;q=0, identity"])
def test_a_browser_that_takes_neither_gets_it_as_it_is_and_caches_are_told(accepted):
    response = answer(accepted)
    assert response.content == PAGE
    assert not response.has_header("Content-Encoding")
    assert response["Vary"] == "Accept-Encoding"


def test_the_length_of_the_same_page_varies():
    lengths = {len(compress(PAGE)) for _ in range(400)}
    assert len(lengths) > MOST_PADDING / 2
    assert max(lengths) - min(lengths) < MOST_PADDING


def test_every_length_of_padding_is_read_by_decoders(monkeypatch):
    for length in range(MOST_PADDING):
        monkeypatch.setattr("secrets.randbelow", lambda _, length=length: length)
        for content in (b"a", PAGE, bytes(range(256)) * 300):
            assert brotli.decompress(compress(content)) == content


def test_what_is_short_stays_as_it_is():
    response = answer(BROWSERS, HttpResponse(b"x" * (LEAST - 1)))
    assert not response.has_header("Content-Encoding")


def test_what_is_compressed_already_stays_as_it_is():
    response = answer(BROWSERS, HttpResponse(PAGE, headers={"Content-Encoding": "zstd"}))
    assert (response.content, response["Content-Encoding"]) == (PAGE, "zstd")


def test_an_etag_no_longer_promises_the_same_bytes():
    assert answer(BROWSERS, HttpResponse(PAGE, headers={"ETag": '"a"'}))["ETag"] == 'W/"a"'
    assert answer(BROWSERS, HttpResponse(PAGE, headers={"ETag": 'W/"a"'}))["ETag"] == 'W/"a"'


def test_a_stream_keeps_djangos_gzip():
    response = answer(BROWSERS, StreamingHttpResponse(iter([PAGE, PAGE])))
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(b"".join(response)) == PAGE * 2


def test_the_site_compresses_its_pages():
    page = Client().get("/login", headers={"Accept-Encoding": BROWSERS})
    assert page["Content-Encoding"] == "br"
    assert b"</html>" in brotli.decompress(page.content)
