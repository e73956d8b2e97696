"""What the site counts about itself. `/metrics` shows it in the format of Prometheus (`web/pages.py`).

Labels have few values: routes instead of addresses, names of access patterns, and never an id. Under several gunicorn
workers set `PROMETHEUS_MULTIPROC_DIR` (deploy/gunicorn.conf.py does), so that each scrape sees the sums of all.
"""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("site_requests_total", "Answers sent", ["route", "method", "status"])
REQUEST_SECONDS = Histogram(
    "site_request_seconds",
    "Time from the first middleware to the answer",
    ["route"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)

CALLS = Counter("dynamodb_calls_total", "Calls to DynamoDB", ["operation", "access_pattern"])
UNITS = Counter("dynamodb_units_total", "Capacity units consumed", ["kind", "access_pattern"])
RETRIES = Counter("dynamodb_retries_total", "Calls that were sent again", ["operation"])
ERRORS = Counter(
    "dynamodb_errors_total", "Error answers, by DynamoDB's code", ["operation", "code"]
)
GIVEN_UP = Counter(
    "dynamodb_given_up_total", "Calls of the site's own transport that botocore made", ["reason"]
)

RECORDS = Counter("worker_records_total", "Stream records that this process read")
BATCHES = Counter("worker_batches_total", "Batches of records that had effects")
JOB_STEPS = Counter("worker_job_steps_total", "Steps of long jobs that were taken", ["kind"])
PARKED = Counter("worker_parked_records_total", "Stream records that became dead letters")

LIVE_OPEN = Gauge("live_connections", "Browsers that wait for news", multiprocess_mode="mostrecent")
LIVE_STREAMS = Gauge("live_streams", "Streams of apps", multiprocess_mode="mostrecent")
LIVE_EVENTS = Counter("live_events_total", "Events sent to apps", ["event"])
LIVE_ASKED = Counter("live_asked_total", "What the site answered for streams", ["status"])
LIVE_NEWS = Counter("live_news_total", "News sent to browsers", ["news"])

SECURITY_EVENTS = Counter(
    "security_events_total", "Sign-ins, failures, limits and other security events", ["event"]
)


def count_call(
    *, operation: str, access_pattern: str, units: float, is_read: bool, retries: int, error: str
) -> None:
    """Counts one call to DynamoDB that was answered, with an error code if it failed."""
    calls, of_units = _counters(operation, access_pattern or "unnamed", is_read)
    calls.inc()
    of_units.inc(units)
    if retries:
        RETRIES.labels(operation).inc(retries)
    if error:
        ERRORS.labels(operation, error).inc()


def count_given_up(reason: str) -> None:
    """Counts one call that the site's own transport left to botocore."""
    GIVEN_UP.labels(reason).inc()


@cache
def _counters(operation: str, access_pattern: str, is_read: bool) -> tuple[Counter, Counter]:
    # Looking them up takes longer than counting.
    kind = "read" if is_read else "write"
    return CALLS.labels(operation, access_pattern), UNITS.labels(kind, access_pattern)
