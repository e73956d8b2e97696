"""`/healthz`: the process answers. `/readyz`: the table answers, and how worker, clock and disk are. `/metrics` is
elsewhere (`metrics.py`).

They answer any Host, with and without https, because load balancers ask a machine by its address.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from socialsite.engine.errors import EngineError
from socialsite.engine.room import is_full
from socialsite.engine.running import data_problem
from socialsite.streams.status import WorkerStatus, read_worker_status
from socialsite.table.errors import TableError
from socialsite.web.pages.metrics import metrics

LAG_LIMIT = 600  # seconds, of the stream and of due work


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Whether the table answers (503 if not), and how worker, clock and disk are doing.

    What stands still beside the pages makes the answer `degraded`, but not a 503, because pages still work. Costs as
    `read_worker_status`.
    """
    disk = {"disk": "full"} if is_full(settings.DATA_DIR) else {}
    try:
        worker = read_worker_status()
    except (TableError, EngineError) as error:
        return _unavailable(error, disk)
    told = _told_of(worker) | disk
    status = "degraded" if disk or _stands_still(worker) else "ok"
    return JsonResponse({"status": status, **told})


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
    }


def _stands_still(worker: WorkerStatus) -> bool:
    """Whether anything that follows from what people do is late, lost, or not done at all."""
    return (
        not worker.is_working
        or not worker.clock.is_working
        or max(worker.lag, worker.clock.lag) > LAG_LIMIT
        or bool(worker.dead_letters)
        or worker.has_gap
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
