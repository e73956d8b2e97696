"""nginx before the site: its file, its certificate, and the environment in which all parts run."""

import getpass
import ipaddress
import os
import re
import shutil
import socket
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured

from socialsite.clock import utc_now
from socialsite.environment import dynamodb_engine, secret, usable
from socialsite.private_files import FOLDER_MODE, write_private

ROOT = Path(__file__).resolve().parents[2]
LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8443
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")


def prepare(environ: Mapping[str, str], *, has_nginx: bool) -> dict[str, str]:
    """Returns the environment of the site's processes: the shell's, with missing settings filled in.

    On the embedded engine the secrets are those in the data folder, made if they do not exist, so the data of `make
    run` can be served. Elsewhere more than one machine needs the same secrets: raises `ImproperlyConfigured` with the
    sentence that names the missing one, or the folder that cannot be used.
    """
    data_dir = Path(environ.get("DATA_DIR") or ROOT / "var").resolve()
    with usable(data_dir):
        data_dir.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    app, health, live = free_addresses(3)
    may_make = dynamodb_engine(environ)[0] == "embedded"
    hosts = environ.get("ALLOWED_HOSTS") or ",".join(THIS_MACHINE)
    # A browser that trusts this machine's certificate would refuse `make run` on http://localhost for two years.
    is_public = not set(hosts.split(",")) <= set(THIS_MACHINE)
    return {
        "ALLOWED_HOSTS": hosts,
        **({} if is_public else {"HSTS_SECONDS": "0"}),
        "GUNICORN_BIND": app,
        "HEALTH_BIND": health,
        "LIVE_BIND": live,
        "WEB_CONCURRENCY": str(os.cpu_count() or 2),
        **{name: value for name, value in environ.items() if value},
        **{
            name: secret(name, data_dir=data_dir, may_make=may_make)
            for name in ("SECRET_KEY", "DATA_KEY")
        },
        "DATA_DIR": str(data_dir),
        "DEBUG": "0",
        "DJANGO_SETTINGS_MODULE": "socialsite.settings",
        "TRUSTED_PROXY_HOPS": "1" if has_nginx else "0",
    }


def address_of(environ: Mapping[str, str]) -> tuple[str, int]:
    """Returns host and port of `ADDRESS`, such as `8443` or `0.0.0.0:443`. Raises `ImproperlyConfigured`."""
    given = environ.get("ADDRESS", "")
    host, _, port = given.rpartition(":")
    if not given:
        return LOOPBACK, DEFAULT_PORT
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ImproperlyConfigured(
            f"ADDRESS is {given}. Set it to a port or an address, such as 8443 or 0.0.0.0:443."
        )
    return host or LOOPBACK, int(port)


def free_addresses(number: int) -> list[str]:
    """Returns addresses of this machine (`host:port`) on which nothing listens now, no two the same."""
    with ExitStack() as open_sockets:
        probes = [open_sockets.enter_context(socket.socket()) for _ in range(number)]
        for probe in probes:
            probe.bind((LOOPBACK, 0))
        return [f"{LOOPBACK}:{probe.getsockname()[1]}" for probe in probes]


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


def trusted_networks(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the networks of `TRUSTED_NETWORKS`, such as `10.0.0.0/16`. Raises `ImproperlyConfigured`."""
    given = [one.strip() for one in environ.get("TRUSTED_NETWORKS", "").split(",") if one.strip()]
    try:
        return tuple(str(ipaddress.ip_network(one)) for one in given)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"TRUSTED_NETWORKS is {','.join(given)}. Set it to networks such as 10.0.0.0/16, comma-separated."
        ) from error


# How does nginx run here without touching the machine's own? With deploy/nginx.conf, its ports and files
# replaced.
#
# Operators copy the same file that runs here, except for the lines that it marks as theirs.

SHIPPED = ROOT / "deploy" / "nginx.conf"
REQUESTS_A_THREAD = 3  # in gunicorn at once, waiting or served
THREADS = 4  # of a worker, as in deploy/gunicorn.conf.py
FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True)
class Places:
    """Where everything is: `host:port` of each part, the files of the certificate, and the hosts it is for."""

    outer: str
    inner: str
    app: str
    health: str
    live: str
    certificate: Path
    key: Path
    workers: int
    hosts: tuple[str, ...]
    trusted: tuple[str, ...] = ()  # networks of the proxies before it, which tell who asks


def find_nginx(environ: Mapping[str, str]) -> str | None:
    """Returns the program: `NGINX`, else the one that is installed, None without one or where `NGINX` is 0.

    Debian keeps it where only root's PATH looks. Raises `ImproperlyConfigured` if `NGINX` is no program.
    """
    given = environ.get("NGINX", "")
    if given == "0":
        return None
    if given and shutil.which(given) is None:
        raise ImproperlyConfigured(
            f"NGINX is {given}, which is no program. Set it to the path of nginx, or to 0 to serve without it."
        )
    return shutil.which(given or "nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def command(program: str, folder: Path) -> list[str]:
    return [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]


def write_configuration(folder: Path, places: Places) -> None:
    """Writes `nginx.conf` into the folder, which also takes what nginx buffers."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "nginx.conf").write_text(configuration(SHIPPED.read_text(), places))


def configuration(shipped: str, places: Places, *, user: str = "", plain: str = "") -> str:
    """Returns the shipped file with these places in it. `user` reads requests where root starts it, else who starts it
    does; `plain` is where http:// is answered beside https, if at all. Raises `ValueError` if it lacks one that is
    replaced."""
    user = user or (getpass.getuser() if os.geteuid() == 0 else "")
    user = f"user {user};\n" if user else ""
    buffers = "".join(f"    {name}_temp_path {name};\n" for name in FOLDERS)
    proxies = "".join(f"    set_real_ip_from {network};\n" for network in places.trusted)
    if proxies:
        proxies += "    real_ip_header X-Forwarded-For;\n    real_ip_recursive on;\n"
    requests = REQUESTS_A_THREAD * THREADS * places.workers
    replaced = {
        "pid /run/nginx.pid;": f"pid nginx.pid;\ndaemon off;\n{user}",
        "http {\n": f"http {{\n{buffers}{proxies}",
        f"server {LOOPBACK}:8000;": f"server {places.app};",
        f"{LOOPBACK}:8002": places.inner,
        f"http://{LOOPBACK}:8001;": f"http://{places.health};",
        f"http://{LOOPBACK}:8003;": f"http://{places.live};",
        "listen 80;": f"listen {plain};" if plain else "",
        "listen 443 ssl": f"listen {places.outer} ssl",
        "server_name example.org;": "server_name _;",
        r'"~*^example\.org(:\d+)?$"': f'"~*^({_one_of(places.hosts)})(:\\d+)?$"',
        "/etc/ssl/example.org.pem": f'"{places.certificate}"',
        "/etc/ssl/example.org.key": f'"{places.key}"',
        "limit_conn site 24;": f"limit_conn site {requests};",
    }
    for old, new in replaced.items():
        if old not in shipped:
            raise ValueError(f"deploy/nginx.conf has no `{old.strip()}`")
        shipped = shipped.replace(old, new)
    return shipped


def _one_of(hosts: Iterable[str]) -> str:
    """Returns what matches the hosts as `ALLOWED_HOSTS` means them: `*` is any, `.example.org` has those below it."""
    return "|".join(_pattern(host) for host in hosts)


def _pattern(host: str) -> str:
    if host == "*":
        return ".+"
    below = r"([\w-]+\.)*" if host.startswith(".") else ""
    return f"{below}{re.escape(host.lstrip('.'))}"
