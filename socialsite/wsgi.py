"""The entry point of a production web server: `gunicorn --config deploy/gunicorn.conf.py socialsite.wsgi`."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

NO_RESTART = 3  # the status by which gunicorn ends instead of starting its workers again and again

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
try:
    site = get_wsgi_application()
except ImproperlyConfigured as error:
    print(error, file=sys.stderr)
    sys.exit(NO_RESTART)

# Only now, because both read the settings.
from socialsite.table.connection import connect_to_serve  # noqa: E402
from socialsite.table.data_state import WrongData  # noqa: E402
from socialsite.web.bodies import RefuseLate  # noqa: E402

try:
    connect_to_serve()
except WrongData as error:
    print(error, file=sys.stderr)
    sys.exit(NO_RESTART)
assert get_resolver().url_patterns  # loads all views now, so that no visitor waits for that
application = RefuseLate(site)
