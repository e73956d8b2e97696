"""The entry point of a production web server: `gunicorn socialsite.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
application = get_wsgi_application()
