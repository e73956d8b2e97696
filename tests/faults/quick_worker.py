"""`manage.py run_worker` with a shorter lease, as if on a machine of its own.

Usage: `python -m tests.faults.quick_worker`. The environment says how short, the machine's name (between machines
nobody sees that a process is dead), before which of its transactions the worker freezes, and with what chance before
any write.
"""

import os
import random
import signal
import socket

import django
from django.core.management import call_command


def main() -> None:
    name = os.environ["WORKER_HOST"]
    socket.gethostname = lambda: name
    django.setup()
    from socialsite.streams import leases as lease

    lease.STEAL_AFTER = float(os.environ.get("STEAL_AFTER", lease.STEAL_AFTER))
    lease.BEAT_EVERY = float(os.environ.get("BEAT_EVERY", lease.BEAT_EVERY))
    if number := int(os.environ.get("FREEZE_BEFORE_TRANSACTION", 0)):
        freeze_before_transaction(number)
    if chance := float(os.environ.get("FREEZE_CHANCE", 0)):
        freeze_now_and_then(chance)
    call_command("run_worker")


def freeze_before_transaction(number: int) -> None:
    """Stops this process when its n-th transaction is ready to be sent: it goes out when the process thaws."""
    from socialsite.table.connection import client

    sent = 0

    def freeze(**_: object) -> None:
        nonlocal sent
        sent += 1
        if sent == number:
            os.kill(os.getpid(), signal.SIGSTOP)

    client().meta.events.register("before-send.dynamodb.TransactWriteItems", freeze)


def freeze_now_and_then(chance: float) -> None:
    """Stops this process now and then when a write is ready to be sent, all checks behind it."""
    from socialsite.table.connection import client

    def freeze(**_: object) -> None:
        if random.random() < chance:
            os.kill(os.getpid(), signal.SIGSTOP)

    for operation in ("BatchWriteItem", "PutItem", "TransactWriteItems", "UpdateItem"):
        client().meta.events.register(f"before-send.dynamodb.{operation}", freeze)


if __name__ == "__main__":
    main()
