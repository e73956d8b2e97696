"""Wires the project into Django: its system checks."""

from django.apps import AppConfig


class SocialsiteConfig(AppConfig):
    name = "socialsite"

    def ready(self) -> None:
        from socialsite import checks, news  # noqa: F401 - register what they hear and check
