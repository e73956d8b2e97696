"""Wires the room into Django: what this process spends is written from now on."""

import atexit

from django.apps import AppConfig


class CostsConfig(AppConfig):
    name = "costs"

    def ready(self) -> None:
        from costs import keeping
        from socialsite.table import meter as spending

        spending.tell_of_first(keeping.write_later)
        atexit.register(keeping.write_at_exit)
