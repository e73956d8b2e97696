"""What the pages about building blocks say, one file a block, in the order in which they build on each other."""

from lens.concepts.blocks.archive import ARCHIVE
from lens.concepts.blocks.composite_sort_key import COMPOSITE_SORT_KEY
from lens.concepts.blocks.fan_out import FAN_OUT
from lens.concepts.blocks.filters import FILTERS
from lens.concepts.blocks.queue_before_a_counter import QUEUE_BEFORE_A_COUNTER
from lens.concepts.blocks.soft_delete import SOFT_DELETE
from lens.concepts.blocks.sparse_index import SPARSE_INDEX
from lens.concepts.blocks.tenant import TENANT
from lens.concepts.blocks.ttl import TTL
from lens.concepts.blocks.two_level_relations import TWO_LEVEL_RELATIONS
from lens.concepts.blocks.vertical_partitioning import VERTICAL_PARTITIONING
from lens.concepts.blocks.write_sharding import WRITE_SHARDING

CONCEPTS = {
    one.name: one
    for one in (
        *(COMPOSITE_SORT_KEY, TENANT, SPARSE_INDEX, TTL, ARCHIVE, VERTICAL_PARTITIONING),
        *(WRITE_SHARDING, FAN_OUT, QUEUE_BEFORE_A_COUNTER, SOFT_DELETE, TWO_LEVEL_RELATIONS),
        FILTERS,
    )
}
