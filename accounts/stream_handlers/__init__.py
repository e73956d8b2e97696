"""What the stream does for people, one file per effect. Called by the stream worker only.

Every handler may run twice: it puts items with fixed keys and deletes by key.
"""

from accounts.stream_handlers import (  # noqa: F401 - importing registers them
    list_in_directory,
    refresh_relations,
)
