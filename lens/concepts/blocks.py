"""What the pages about building blocks say, in the order in which they build on each other."""

from lens.concepts.keys_and_indexes import (
    COMPOSITE_SORT_KEY,
    SPARSE_INDEX,
    TENANT,
    TWO_LEVEL_RELATIONS,
    VERTICAL_PARTITIONING,
    WRITE_SHARDING,
)
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
        *(COMPOSITE_SORT_KEY, TENANT, SPARSE_INDEX, TTL, ARCHIVE, VERTICAL_PARTITIONING),
        *(WRITE_SHARDING, FAN_OUT, QUEUE_BEFORE_A_COUNTER, SOFT_DELETE, TWO_LEVEL_RELATIONS),
        FILTERS,
    )
}
