"""What `manage.py check` says about a setting that cannot work: one sentence each, before anything starts."""

import os
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

SHORTEST_SECRET = 32


@register
def check_engine(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    problem = settings.DYNAMODB_PROBLEM
    return [Error(problem, id="socialsite.E001")] if problem else []


@register(Tags.security, deploy=True)
def check_data_key(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    if len(settings.DATA_KEY) >= SHORTEST_SECRET:
        return []
    return [Warning("DATA_KEY is short: set it to a long random text.", id="socialsite.W001")]


@register
def check_data_folder(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    folder = settings.DATA_DIR
    if not folder.exists() or os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return []
    sentence = f"The data folder {folder} cannot be read and written: give yourself access, or set DATA_DIR."
    return [Error(sentence, id="socialsite.E002")]
