"""Settings of a simulated site: those of the tests, with the time limits of production and small thresholds."""

from tests.settings import *  # noqa: F403

DYNAMODB_ENDPOINT = "http://127.0.0.1:9"  # nobody is asked: the wire is simulated
DYNAMODB_ENGINE = "endpoint"
DYNAMODB_SECONDS, DYNAMODB_WEB_SECONDS = 1.8, 0.9
SITE_RULES_SECONDS, STAFF_NAV_SECONDS = 10, 10
FAN_OUT_INLINE, FAN_OUT_STEP, PULL_ABOVE = 4, 6, 12
EMAIL_BACKEND = "tests.simulation.letters.Backend"
ALLOWED_HOSTS = ["testserver"]
LOGGING_CONFIG = None
