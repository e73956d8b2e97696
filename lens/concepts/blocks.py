"""What the pages about building blocks say, in the order in which they build on each other."""

from lens.concepts.keys_and_indexes import (
    COMPOSITE_SORT_KEY,
    INVERTED_INDEX,
    SPARSE_INDEX,
    TENANT,
    TWO_LEVEL_RELATIONS,
    VERTICAL_PARTITIONING,
    WRITE_SHARDING,
)
from lens.concepts.one_table import LOCAL_AND_GLOBAL, METADATA_FIRST, ONE_TABLE
from lens.concepts.reading_less import EVENT_FILTER, READ_CACHE
from lens.concepts.time_and_work import (
    ARCHIVE,
    FAN_OUT,
    FILTERS,
    QUEUE_BEFORE_A_COUNTER,
    SOFT_DELETE,
    TTL,
)

CONCEPTS = {
    one.name: one
    for one in (
        *(COMPOSITE_SORT_KEY, METADATA_FIRST, TENANT, ONE_TABLE, SPARSE_INDEX, LOCAL_AND_GLOBAL),
        *(TTL, ARCHIVE, VERTICAL_PARTITIONING, WRITE_SHARDING, FAN_OUT, QUEUE_BEFORE_A_COUNTER),
        *(EVENT_FILTER, SOFT_DELETE, TWO_LEVEL_RELATIONS, FILTERS, INVERTED_INDEX, READ_CACHE),
    )
}
