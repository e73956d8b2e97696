"""What the stream does between people, one file per effect. Called by the stream worker only.

Every handler may run twice: it puts items with fixed keys, deletes by key, or enters into the ledger what must count
once.
"""

from relations.stream_handlers import (  # noqa: F401 - importing registers them
    count_follow,
    list_in_directory,
    refresh_relations,
)
