"""`/healthz`: the process answers. `/readyz`: the table answers, and the worker works. `/metrics` is a file of its own.

They answer any Host, with and without https, because load balancers ask a machine by its address.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from socialsite.engine.errors import EngineError
from socialsite.engine.running import data_problem
from socialsite.streams.status import read_worker_status
from socialsite.table.errors import TableError
from socialsite.web.pages.metrics import metrics

LAG_LIMIT = 600  # seconds


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Whether the table answers (503 if not), and how the stream's worker is doing.

    A worker that is silent, far behind or has parked records makes the answer `degraded`, but not a 503, because pages
    still work.
    """
    try:
        worker = read_worker_status()
    except (TableError, EngineError) as error:
        told = {"status": "unavailable", "error": type(error).__name__}
        if problem := data_problem(settings.DATA_DIR):
            told["data"] = problem
        answer = JsonResponse(told, status=503)
        answer["Retry-After"] = "3"
        return answer
    degraded = (
        not worker.is_working or worker.lag > LAG_LIMIT or worker.dead_letters or worker.has_gap
    )
    return JsonResponse(
        {
            "status": "degraded" if degraded else "ok",
            "worker": {
                "working": worker.is_working,
                "lag_seconds": worker.lag,
                "jobs": len(worker.jobs),
                "dead_letters": len(worker.dead_letters),
                "gap": worker.has_gap,
            },
        }
    )


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
