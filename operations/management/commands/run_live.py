"""`manage.py run_live`: tells open pages that something is new, until it is told to stop."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from notifications.live.server import run
from operations.management.command_errors import command_errors
from socialsite.observing.serving import serve_metrics
from socialsite.table.connection import connect_to_serve


class Command(BaseCommand):
    help = "Tells open pages that something is new, at /live (LIVE_BIND), until it is stopped."

    # It starts beside the site, which checks itself, and has little to do with it.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            connect_to_serve()
        serve_metrics(settings.METRICS_BIND, token=settings.METRICS_TOKEN)
        self.stdout.write(f"Telling pages at {settings.LIVE_BIND}. Ctrl-C stops.")
        try:
            run()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
