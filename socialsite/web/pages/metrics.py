"""`/metrics` shows the site's counts about itself, for Prometheus and other programs that read its format.

With `METRICS_TOKEN` it asks for that token. Without the token it answers only programs on the same machine.
"""

import ipaddress
import os
from collections.abc import Iterator
from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Metric,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from socialsite.engine.errors import EngineError
from socialsite.engine.room import free_bytes
from socialsite.streams.status import read_worker_status
from socialsite.table.errors import TableError


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answers 404 to everyone who may not read it. The worker's state costs as `read_worker_status`."""
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
    registry.register(WorkerState())
    return registry


class WorkerState:
    """The state of disk, workers and clock, read from the table at each scrape."""

    def collect(self) -> Iterator[Metric]:
        with suppress(OSError):  # a site on Amazon may have no data folder
            free = free_bytes(settings.DATA_DIR)
            yield _gauge("data_disk_free_bytes", "Room left on the disk of the data", free)
        try:
            worker = read_worker_status()
        except (TableError, EngineError):
            yield _gauge("table_up", "Whether the table answers", False)
            return
        yield _gauge("table_up", "Whether the table answers", True)
        yield _gauge("worker_up", "Whether a worker reads every shard", worker.is_working)
        yield _gauge("worker_lag_seconds", "How far behind the stream a worker may be", worker.lag)
        yield _gauge("worker_dead_letters", "Parked records, 50 at most", len(worker.dead_letters))
        yield _gauge("worker_gap", "Whether records were lost unread", worker.has_gap)
        yield _gauge("clock_up", "Whether a clock does what is due", worker.clock.is_working)
        yield _gauge("clock_lag_seconds", "Age of the oldest due work, at most", worker.clock.lag)


def _gauge(name: str, help_text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help_text, value=float(value))
