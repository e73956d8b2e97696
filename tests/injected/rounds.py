"""Letting a worker run for some steps, through its own loop, without its pauses."""

import threading


class Rounds(threading.Event):
    """Tells a worker to stop after so many steps, and never lets it wait."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.left = count

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0

    def wait(self, timeout: float | None = None) -> bool:
        return False
