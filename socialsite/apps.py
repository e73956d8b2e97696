"""Wires the project into Django: its system checks."""

from django.apps import AppConfig


class SocialsiteConfig(AppConfig):
    name = "socialsite"

    def ready(self) -> None:
        from socialsite import checks  # noqa: F401 - registers them
