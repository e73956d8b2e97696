"""The entry point of a production web server: `gunicorn --config deploy/gunicorn.conf.py socialsite.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
site = get_wsgi_application()

# Only now, as both read the settings.
from socialsite.table.connection import connect_to_serve  # noqa: E402
from socialsite.web.refuse_late import RefuseLate  # noqa: E402

connect_to_serve()
assert get_resolver().url_patterns  # loads all views now, so that no visitor waits for that
application = RefuseLate(site)
