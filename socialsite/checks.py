"""What `manage.py check` says about a setting that cannot work: one sentence each, before anything starts."""

import os
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register
def check_engine(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    problem = settings.DYNAMODB_PROBLEM
    return [Error(problem, id="socialsite.E001")] if problem else []


@register
def check_data_folder(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    folder = settings.DATA_DIR
    if not folder.exists() or os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return []
    sentence = f"The data folder {folder} cannot be read and written: give yourself access, or set DATA_DIR."
    return [Error(sentence, id="socialsite.E002")]
