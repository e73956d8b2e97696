"""The certificate that a machine signs itself is kept, private, and made again when it no longer fits."""

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from operations.serving.nginx import find_certificate, make_certificate

HOSTS = ["localhost", "127.0.0.1", "[::1]", ".example.org"]


def test_it_is_made_once_and_kept(tmp_path: Path) -> None:
    file, key = find_certificate({}, folder=tmp_path, hosts=HOSTS)
    before = file.read_bytes()
    assert find_certificate({}, folder=tmp_path, hosts=HOSTS) == (file, key)
    assert file.read_bytes() == before


def test_nobody_else_on_the_machine_may_read_its_key(tmp_path: Path) -> None:
    _, key = find_certificate({}, folder=tmp_path, hosts=HOSTS)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.parametrize("found", ["", "nonsense", make_certificate(["another.example"])])
def test_one_that_does_not_fit_is_made_again(tmp_path: Path, found: str) -> None:
    (tmp_path / "tls.pem").write_text(found)
    file, _ = find_certificate({}, folder=tmp_path, hosts=HOSTS)
    made = file.read_text()
    assert made != found
    find_certificate({}, folder=tmp_path, hosts=HOSTS)
    assert file.read_text() == made


def test_ones_own_is_used_as_it_is(tmp_path: Path) -> None:
    own = tmp_path / "own.pem"
    own.write_text(make_certificate(["social.example"]))
    environ = {"TLS_CERTIFICATE": str(own), "TLS_KEY": str(own)}
    assert find_certificate(environ, folder=tmp_path / "none", hosts=HOSTS) == (own, own)


@pytest.mark.parametrize("name", ["TLS_CERTIFICATE", "TLS_KEY"])
def test_half_of_one_is_one_sentence(tmp_path: Path, name: str) -> None:
    own = tmp_path / "own.pem"
    own.touch()
    missing = {"TLS_CERTIFICATE": "TLS_KEY", "TLS_KEY": "TLS_CERTIFICATE"}[name]
    with pytest.raises(ImproperlyConfigured, match=f"{missing} is ''"):
        find_certificate({name: str(own)}, folder=tmp_path, hosts=HOSTS)
