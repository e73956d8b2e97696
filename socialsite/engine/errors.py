"""What a person reads when the embedded engine cannot be installed, started or reached."""


class EngineError(Exception):
    """One sentence that says what is wrong and what to do about it."""
