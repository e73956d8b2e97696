"""Which DynamoDB would the site use, and is it there?

What this asks of `socialsite.engine` stands in `embedded` alone.
"""

from __future__ import annotations

import http.client
import os
from pathlib import Path
from urllib.parse import urlsplit

from operations.doctor.data_folder import data_folder
from operations.doctor.finding import OK, STOP, Finding
from operations.doctor.machine import SECONDS


def check_engine(project: Path) -> Finding:
    from socialsite.environment import dynamodb_engine, dynamodb_region

    engine, problem = dynamodb_engine(os.environ)
    if problem:
        return Finding("engine", STOP, problem)
    if engine == "endpoint":
        return check_endpoint(os.environ["DYNAMODB_ENDPOINT"])
    if engine == "amazon":
        region = dynamodb_region(os.environ)
        return Finding("engine", OK, f"Amazon DynamoDB in {region}, which was not asked")
    return embedded(project)


def embedded(project: Path) -> Finding:
    """The engine that the site brings, found but not started."""
    from socialsite.engine.choice import choose
    from socialsite.engine.errors import EngineError

    try:
        program = choose(data_folder(project))
        found = program.find(project)
        return Finding("engine", OK, f"the embedded one, {program.name}: {found[0]}")
    except EngineError as error:
        return Finding("engine", STOP, str(error))


def check_endpoint(address: str) -> Finding:
    """Whether anything speaks HTTP at DYNAMODB_ENDPOINT; any answer will do, as each engine refuses in its own way."""
    parts = urlsplit(address)
    kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
    connection = kinds[parts.scheme](str(parts.hostname), parts.port, timeout=SECONDS)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        why = str(error) or type(error).__name__
        text = f"nothing answers at {address} ({why}). Start it, or use the engine that the site brings."
        return Finding("engine", STOP, text, "unset DYNAMODB_ENDPOINT")
    finally:
        connection.close()
    return Finding("engine", OK, f"the DynamoDB at {address}, which answers")
