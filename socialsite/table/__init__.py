"""The one DynamoDB table: the only code that knows PynamoDB's transport.

Which file answers what:

- `keys/`          how every partition key and sort key is written
- `item.py`        the base `Item`: table name, indexes, TTL, discriminator
- `schema.py`      creating the table
- `connection.py`  the one process-wide connection, its timeouts and hooks
- `reading.py`     get one, fetch many, query a partition
- `paging.py`      pages of lists, and of several merged into one
- `cursors.py`     encrypted places in a list
- `actions.py`     the actions of a write, each with its condition
- `writing.py`     create, change, transact, write in batches
- `errors.py`      what can go wrong, in the words of the domain
- `ids.py`         ids that sort by time
- `meter.py`       what each call cost
"""
