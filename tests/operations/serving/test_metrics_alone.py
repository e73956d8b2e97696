"""A process without pages tells its own counts at `METRICS_BIND`, to the same readers as the site does."""

import http.client
from http.server import ThreadingHTTPServer

import pytest

from operations.serving.nginx import free_addresses
from socialsite.observing import metrics
from socialsite.observing.serving import serve_metrics


def ask(server: ThreadingHTTPServer, path: str = "/metrics", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_it_tells_what_it_counted_to_programs_on_this_machine():
    server = serve_metrics(free_addresses(1)[0], token="")
    assert server
    metrics.RECORDS.inc(3)
    status, said = ask(server)
    assert status == 200
    assert "worker_records_total" in said
    assert ask(server, "/")[0] == 404
    server.shutdown()


def test_with_a_token_to_its_holder_alone():
    server = serve_metrics(free_addresses(1)[0], token="a-long-token")
    assert server
    assert ask(server)[0] == 404
    assert ask(server, Authorization="Bearer another")[0] == 404
    assert ask(server, Authorization="Bearer a-long-token")[0] == 200
    server.shutdown()


def test_without_an_address_there_is_nothing_and_one_that_is_none_is_a_sentence():
    assert serve_metrics("", token="") is None
    with pytest.raises(SystemExit, match="is no address"):
        serve_metrics("everywhere", token="")


def test_a_process_whose_address_is_taken_works_on_without_and_says_so(caplog):
    address = free_addresses(1)[0]
    server = serve_metrics(address, token="")
    assert server
    assert serve_metrics(address, token="") is None
    assert "where this process cannot listen" in caplog.text
    server.shutdown()
