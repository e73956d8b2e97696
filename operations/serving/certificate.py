"""Where does https on one machine get its certificate from? From TLS_CERTIFICATE and TLS_KEY, else it signs its own."""

import ipaddress
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured

from socialsite.clock import utc_now
from socialsite.private_files import write_private

DAYS = 365
RENEWED_BEFORE = timedelta(days=30)


def find_certificate(
    environ: Mapping[str, str], *, folder: Path, hosts: Sequence[str]
) -> tuple[Path, Path]:
    """Returns the files of a certificate and its key. Makes `tls.pem` in the folder if the environment names none.

    That one is kept until it is about to expire or the hosts change, so that a browser has to trust it once only.
    Raises `ImproperlyConfigured` if one of the two is not named, or a file cannot be read.
    """
    given = [environ.get(name, "") for name in ("TLS_CERTIFICATE", "TLS_KEY")]
    if not any(given):
        own = folder / "tls.pem"
        if not _still_fits(own, hosts):
            write_private(own, make_certificate(hosts))
        return own, own
    for name, value in zip(("TLS_CERTIFICATE", "TLS_KEY"), given, strict=True):
        if not value or not Path(value).is_file():
            raise ImproperlyConfigured(
                f"{name} is {value!r}, which is no file. Set TLS_CERTIFICATE and TLS_KEY to files in PEM format, "
                "or unset both."
            )
    return Path(given[0]).resolve(), Path(given[1]).resolve()


def make_certificate(hosts: Sequence[str]) -> str:
    """Returns a key and a certificate for these hosts, signed with itself, in PEM format."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "socialsite on this machine")])
    now = utc_now()
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(_names(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    encoding = serialization.Encoding.PEM
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain)
    return (private + certificate.public_bytes(encoding)).decode()


def _still_fits(file: Path, hosts: Sequence[str]) -> bool:
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    left = certificate.not_valid_after_utc - utc_now()
    return left > RENEWED_BEFORE and names == _names(hosts)


def _names(hosts: Sequence[str]) -> x509.SubjectAlternativeName:
    names: list[x509.GeneralName] = []
    for host in hosts:
        try:
            names.append(x509.IPAddress(ipaddress.ip_address(host.strip("[]"))))
        except ValueError:
            # Django writes "all below example.org" as `.example.org`.
            names.append(x509.DNSName(f"*{host}" if host.startswith(".") else host))
    return x509.SubjectAlternativeName(names)
