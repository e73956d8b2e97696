"""Which of the sites that a machine may have does a command work on?"""

from django.conf import settings


def site_place() -> str:
    """Returns where its data are: the data folder of an embedded engine, otherwise the table."""
    match settings.DYNAMODB_ENGINE:
        case "embedded":
            return f"the data folder {settings.DATA_DIR}"
        case "endpoint":
            return f"the table {settings.DYNAMODB_TABLE} at {settings.DYNAMODB_ENDPOINT}"
        case _:
            return f"the table {settings.DYNAMODB_TABLE} in {settings.DYNAMODB_REGION}"
