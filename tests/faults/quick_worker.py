"""`manage.py run_worker` with a shorter lease, as if on a machine of its own.

Usage: `python -m tests.faults.quick_worker`. The environment says how short, the machine's name (between machines
nobody sees that a process is dead), whether the worker freezes before its first commit of likes, and with what chance
before any write.
"""

import os
import random
import signal
import socket

import django
from botocore.awsrequest import AWSPreparedRequest
from django.core.management import call_command


def main() -> None:
    name = os.environ["WORKER_HOST"]
    socket.gethostname = lambda: name
    django.setup()
    from socialsite.streams import leases as lease

    lease.STEAL_AFTER = float(os.environ.get("STEAL_AFTER", lease.STEAL_AFTER))
    lease.BEAT_EVERY = float(os.environ.get("BEAT_EVERY", lease.BEAT_EVERY))
    if os.environ.get("FREEZE_BEFORE_COMMIT"):
        freeze_before_commit()
    if chance := float(os.environ.get("FREEZE_CHANCE", 0)):
        freeze_now_and_then(chance)
    call_command("run_worker")


def freeze_before_commit() -> None:
    """Stops this process when the first transaction that counts likes is ready to be sent: it goes out when the process
    thaws."""
    from socialsite.table.connection import client

    is_frozen = False

    def freeze(request: AWSPreparedRequest, **_: object) -> None:
        nonlocal is_frozen
        if not is_frozen and b"#likecount" in request.body:
            is_frozen = True
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
