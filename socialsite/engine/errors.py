"""What a person reads when the embedded engine cannot be installed, started or reached."""

INSTALL_COMMAND = "make setup"  # by the Python of .venv, as many systems have no `python`


class EngineError(Exception):
    """One sentence that says what is wrong and what to do about it."""


def no_program_sentence(program: str, platform: str) -> str:
    """Return the sentence for a platform that a program was not made for."""
    return (
        f"The embedded DynamoDB engine {program} does not exist for {platform}: set "
        "DYNAMODB_ENDPOINT to any DynamoDB, or use Amazon DynamoDB through AWS settings "
        "(AWS_REGION and credentials)."
    )
