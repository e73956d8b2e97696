"""The stream's effects on relationships, one file for each. Only the stream worker calls them.

Every handler may run twice: it puts items with fixed keys, deletes by key, or enters in the ledger what must count only
once.
"""

from relations.stream_handlers import (  # noqa: F401 - importing registers them
    count_follow,
    list_in_directory,
    look_for_people,
    refresh_relations,
)
