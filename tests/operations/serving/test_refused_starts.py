"""`make serve` that cannot start says why in one sentence."""

import socket
from pathlib import Path

import pytest

from operations.serving.nginx import free_addresses
from tests.operations.serving.served import Served

pytestmark = pytest.mark.engines("embedded", reason="the command starts its own engine")


def refused(folder: Path, **environment: str) -> str:
    """What it says when it does not start."""
    site = Served(folder, **environment)
    assert site.process.wait(60) == 1
    assert "Traceback" not in site.output
    return " ".join(site.output.split())


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    address = free_addresses(1)[0]
    port = int(address.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)):
        said = refused(tmp_path, ADDRESS=str(port))
    assert f"Cannot listen on 127.0.0.1:{port}" in said
    assert f"`ADDRESS={port + 1} make serve`" in said


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"ADDRESS": "here"}, "ADDRESS is here."),
        ({"NGINX": "/no/such/nginx"}, "NGINX is /no/such/nginx"),
        ({"TLS_CERTIFICATE": "/no/such.pem"}, "TLS_CERTIFICATE is '/no/such.pem'"),
        ({"DYNAMODB_ENDPOINT": "http://127.0.0.1:9"}, "SECRET_KEY is not set."),
    ],
)
def test_what_cannot_work_is_one_sentence(
    tmp_path: Path, environment: dict[str, str], sentence: str
) -> None:
    assert sentence in refused(tmp_path, **environment)


def test_a_data_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sentence = "The site cannot read and write"
    assert sentence in refused(tmp_path, DATA_DIR=str(tmp_path / "file" / "var"))
    for name in ("tls.pem", "nginx"):  # what is in the way of the one, and of the other
        (tmp_path / name / "var").mkdir(parents=True)
        in_the_way = tmp_path / name / "var" / name
        in_the_way.touch() if name == "nginx" else in_the_way.mkdir()
        said = refused(tmp_path, DATA_DIR=str(in_the_way.parent), NGINX="")
        assert f"{sentence} {in_the_way.parent}" in said


def test_static_files_that_cannot_be_written_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused(tmp_path, STATIC_ROOT=str(tmp_path / "file" / "static"))
    assert "The static files cannot be collected" in said
