"""The one DynamoDB table, and its face: what a room needs of it comes from here in one line.

    from socialsite.table import Create, access_pattern, fetch, keys, transact

Which file answers what:

- `../keys/`       how every partition key and sort key is written
- `item.py`        the base `Item`: table name, indexes, TTL, discriminator
- `schema.py`      creating the table, and what protects it
- `connection.py`  the one process-wide connection, its timeouts and hooks
- `as_person.py`   reads with the credentials of one person
- `reading.py`     get one, fetch many, query a partition; typed by `row`
- `paging.py`      pages of lists, and of several merged into one, with their encrypted places (cursors)
- `actions.py`     the actions of a write, each with its condition, and the fence of a writer who may have been replaced
- `writing.py`     create, change, transact, write in batches
- `errors.py`      what can go wrong, in the words of the domain
- `ids.py`         ids that sort by time
- `meter.py`       what each call cost, and what a page spent
- `resilience.py`  how long a call may take, when it is tried again, and when the engine is asked no more
- `transport/`     calls without botocore
"""

from socialsite import keys as keys
from socialsite.keys.key import Key as Key
from socialsite.table.actions import ALWAYS as ALWAYS
from socialsite.table.actions import IS_ABSENT as IS_ABSENT
from socialsite.table.actions import Change as Change
from socialsite.table.actions import Check as Check
from socialsite.table.actions import Create as Create
from socialsite.table.actions import Delete as Delete
from socialsite.table.actions import Erase as Erase
from socialsite.table.actions import Moved as Moved
from socialsite.table.actions import Put as Put
from socialsite.table.actions import Upsert as Upsert
from socialsite.table.actions import WriteAction as WriteAction
from socialsite.table.actions import write_optimistically as write_optimistically
from socialsite.table.as_person import as_person as as_person
from socialsite.table.errors import AlreadyExists as AlreadyExists
from socialsite.table.errors import BadCursor as BadCursor
from socialsite.table.errors import Conflict as Conflict
from socialsite.table.errors import NotFound as NotFound
from socialsite.table.errors import Refused as Refused
from socialsite.table.errors import TableError as TableError
from socialsite.table.errors import Unavailable as Unavailable
from socialsite.table.errors import translated as translated
from socialsite.table.item import INDEXES as INDEXES
from socialsite.table.item import MOST_BYTES as MOST_BYTES
from socialsite.table.item import Item as Item
from socialsite.table.item import escalated_index_name as escalated_index_name
from socialsite.table.item import item_models as item_models
from socialsite.table.item import type_index_name as type_index_name
from socialsite.table.meter import WORKER as WORKER
from socialsite.table.meter import Call as Call
from socialsite.table.meter import access_pattern as access_pattern
from socialsite.table.meter import measure as measure
from socialsite.table.meter import name_of as name_of
from socialsite.table.meter import spent_by as spent_by
from socialsite.table.paging import PAGE_SIZE as PAGE_SIZE
from socialsite.table.paging import Page as Page
from socialsite.table.paging import Place as Place
from socialsite.table.paging import Source as Source
from socialsite.table.paging import Stretch as Stretch
from socialsite.table.paging import query_merged as query_merged
from socialsite.table.paging import query_page as query_page
from socialsite.table.paging import read_cursor as read_cursor
from socialsite.table.paging import write_cursor as write_cursor
from socialsite.table.reading import RawItem as RawItem
from socialsite.table.reading import as_model as as_model
from socialsite.table.reading import fetch as fetch
from socialsite.table.reading import get as get
from socialsite.table.reading import is_expired as is_expired
from socialsite.table.reading import item_size as item_size
from socialsite.table.reading import key_of as key_of
from socialsite.table.reading import query as query
from socialsite.table.reading import query_index as query_index
from socialsite.table.reading import row as row
from socialsite.table.writing import TRIES as TRIES
from socialsite.table.writing import after_writes as after_writes
from socialsite.table.writing import change as change
from socialsite.table.writing import create as create
from socialsite.table.writing import transact as transact
from socialsite.table.writing import write_as_made as write_as_made
from socialsite.table.writing import write_batch as write_batch
