"""`/healthz`: the process answers. `/readyz`: the table answers too."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from socialsite.engine.errors import EngineError
from socialsite.table import keys
from socialsite.table.errors import TableError
from socialsite.table.reading import fetch


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """One BatchGetItem of a key that need not exist, 0.5 read units."""
    try:
        fetch([keys.user_info("readyz")])
    except (TableError, EngineError) as error:
        answer = JsonResponse({"table": type(error).__name__}, status=503)
        answer["Retry-After"] = "3"
        return answer
    return JsonResponse({"table": "ok"})
