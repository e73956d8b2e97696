"""Python imports this at the start of each process whose PYTHONPATH has this folder, so children of a test have the
guard too. Each machine that they contact becomes a line of the file that CONTACTS names."""

import os

from tests.contacts import refuse_elsewhere


def tell(host: str) -> None:
    file = os.open(os.environ["CONTACTS"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(file, f"{host}\n".encode())
    os.close(file)


if "CONTACTS" in os.environ:
    refuse_elsewhere(tell)
