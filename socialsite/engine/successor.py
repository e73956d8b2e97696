"""What does an attached process do when the owner goes? It takes the engine over, at the same address."""

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path

from socialsite.engine import lock
from socialsite.engine.errors import EngineError
from socialsite.engine.watch import Watch

log = logging.getLogger("socialsite.engine")

LOOK_SECONDS = 0.5


class Successor(threading.Thread):
    """Waits for the owner's lock, which is released however the owner ends. Of several successors, one gets it."""

    def __init__(self, watch: Watch, take_over: Callable[[int], None]) -> None:
        super().__init__(name="engine-successor", daemon=True)
        self._watch = watch
        self._take_over = take_over
        self._told = ""

    def run(self) -> None:
        never = threading.Event()
        while not never.wait(LOOK_SECONDS):
            try:
                descriptor = lock.try_lock(self._watch.data_dir)
            except OSError:  # the folder is gone, and its data with it
                descriptor = None
            if descriptor is not None and self._succeed(descriptor):
                return

    def _succeed(self, descriptor: int) -> bool:
        try:
            if problem := self._watch.look() or _problem(self._watch.data_dir):
                raise EngineError(problem)
            self._take_over(descriptor)
        except (EngineError, OSError) as error:
            os.close(descriptor)
            if str(error) != self._told:
                log.critical("%s", error)
                self._told = str(error)
            return False
        log.warning("The process that ran the DynamoDB engine has ended; this one runs it now.")
        return True


def _problem(data_dir: Path) -> str:
    state = lock.read_state(data_dir)
    return state.problem if state else ""
