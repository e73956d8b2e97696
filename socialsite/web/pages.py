"""Pages for machines, and small ones: health, metrics, robots, security.txt, rules, help, media. What makes an app of
the site is in `installed.py`."""

import ipaddress
import os
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Metric,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from socialsite.clock import utc_now
from socialsite.engine.program import EngineError
from socialsite.engine.running import data_problem, is_full
from socialsite.site_settings.read_only import Why, read_only_now
from socialsite.site_settings.site_rules import site_rules
from socialsite.streams.status import PusherStatus, WorkerStatus, read_worker_status
from socialsite.table import NotFound, TableError
from socialsite.vital_signs import list_vitals
from socialsite.web.fragments import HtmxRequest, page_or_fragment
from socialsite.web.static_files import shown_elsewhere

# `/metrics` shows the site's counts about itself, for Prometheus and other programs that read its format.
#
# With `METRICS_TOKEN` it asks for that token. Without the token it answers only programs on the same machine.


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answers 404 to everyone who may not read it. Costs as `list_vitals`."""
    if not _may_read(request):
        return HttpResponse(status=404)
    text = generate_latest(_counts()) + generate_latest(_state())
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}")
    # Behind a proxy every request comes from the proxy's address, which is often this machine.
    is_forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return not is_forwarded and not settings.TRUSTED_PROXY_HOPS and _is_local(request)


def _is_local(request: HttpRequest) -> bool:
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _counts() -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry


def _state() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(State())
    return registry


class State:
    """The vital signs: of disk, worker and clock at each scrape, of the others once a minute."""

    def collect(self) -> Iterator[Metric]:
        for one in list_vitals():
            yield GaugeMetricFamily(one.name, one.help_text, value=float(one.value))


# `/healthz`: the process answers. `/readyz`: the table answers, and how worker, clock and disk are.
#
# They answer any Host, with and without https, because load balancers ask a machine by its address.

LAG_LIMIT = 600  # seconds, of the stream and of due work


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Whether the table answers (503 if not), and how worker, clock, pusher and disk are doing.

    What stands still beside the pages makes the answer `degraded`, but not a 503, because pages still work, and so does
    an engine that takes no writes. While the operator lets the site only be read, it is `read-only`. Costs as
    `read_worker_status`.
    """
    disk = {"disk": "full"} if is_full(settings.DATA_DIR) else {}
    try:
        worker = read_worker_status()
    except (TableError, EngineError) as error:
        return _unavailable(error, disk)
    told = _told_of(worker) | disk
    reads = read_only_now()
    if reads:
        told["read_only"] = {"why": reads.why, "since": reads.since, "until": reads.until}
    if reads and reads.why == Why.PLANNED:  # worker and clock wait on purpose
        return JsonResponse({"status": "read-only", **told})
    is_degraded = disk or _stands_still(worker) or (reads and reads.why != Why.REGION)
    return JsonResponse({"status": "degraded" if is_degraded else "ok", **told})


def _told_of(worker: WorkerStatus) -> dict[str, Any]:
    clock = worker.clock
    return {
        "worker": {
            "working": worker.is_working,
            "lag_seconds": worker.lag,
            "dead_letters": len(worker.dead_letters),
            "gap": worker.has_gap,
        },
        "clock": {"working": clock.is_working, "lag_seconds": clock.lag},
        **({"pusher": _pusher(worker.pusher)} if worker.pusher else {}),
    }


def _pusher(pusher: PusherStatus) -> dict[str, Any]:
    return {"working": pusher.is_working, "lag_seconds": pusher.lag}


def _stands_still(worker: WorkerStatus) -> bool:
    """Whether anything that follows from what people do is late, lost, or not done at all."""
    return (
        not worker.is_working
        or not worker.clock.is_working
        or max(worker.lag, worker.clock.lag) > LAG_LIMIT
        or bool(worker.dead_letters)
        or worker.has_gap
        or bool(worker.pusher and not worker.pusher.is_working)
    )


def _unavailable(error: Exception, disk: dict[str, str]) -> JsonResponse:
    told = {"status": "unavailable", "error": type(error).__name__} | disk
    if problem := data_problem(settings.DATA_DIR):
        told["data"] = problem
    answer = JsonResponse(told, status=503)
    answer["Retry-After"] = "3"
    return answer


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}


def answer_probes(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answers these addresses before anything checks the Host. `SECURE_REDIRECT_EXEMPT` exempts them from https."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return PROBES.get(request.path_info, get_response)(request)

    return middleware


DAY = 86_400  # seconds


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirects to the icon, for browsers that ask for it without reading a page."""
    response = redirect(static("icons/favicon.ico"))
    patch_cache_control(response, public=True, max_age=DAY)
    return response


# They need a sign-in, or answer a form. An address that begins so is meant too.
CLOSED = (
    "/settings", "/moderation", "/operations/worker", "/operations/alarms", "/login", "/logout", "/signup", "/confirm",
    "/standing", "/search", "/posts/new", "/people-to-follow", "/welcome", "/favourites", "/friends", "/circles",
    "/requests",
)  # fmt: skip


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Returns the file. Reads nothing from the table."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), ""]
    response = HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    patch_cache_control(response, public=True, max_age=DAY)
    return response


HOLDS = timedelta(days=180)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Returns the file, which holds for another half year each day. There is none without a contact. Reads nothing
    from the table."""
    if not settings.SECURITY_CONTACT:
        raise NotFound("no contact is set")
    until = (utc_now() + HOLDS).date()
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {until}T00:00:00Z",
        f"Preferred-Languages: {', '.join(code for code, _ in settings.LANGUAGES)}",
        "",
    ]
    response = HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    patch_cache_control(response, public=True, max_age=DAY)
    return response


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Shows the rules in their order, each with its explanation."""
    site = site_rules()
    return render(request, "rules.html", {"rules": site.rules, "has_log": site.public_log})


@require_safe
def keys(request: HtmxRequest) -> HttpResponse:
    return page_or_fragment(request, "help/keys.html", "help/_keys.html", {})


# Serves uploads from the local folder, with headers that make browsers treat them only as pictures. Everyone may see
# them, so apps on other sites may show them.
#
# With `MEDIA_BUCKET` they are in S3, and this view has no route.

NAME = re.compile(r"(avatars/[0-9A-Z]{26}|headers/[0-9A-Z]{26}-(1500|750))\.webp")


def media(request: HttpRequest, name: str) -> HttpResponseBase:
    if not NAME.fullmatch(name) or not default_storage.exists(name):
        raise NotFound(name)
    response = FileResponse(default_storage.open(name), content_type="image/webp")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return shown_elsewhere(response)
