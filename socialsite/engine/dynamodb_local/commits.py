"""When is a transaction of DynamoDB Local on the disk? When it has answered the next request, not this one.

It puts the COMMIT into the queue of its one SQLite thread, answers, and never asks whether it worked.
"""

from typing import Any


def wait_for_commits(client: Any) -> None:
    """Makes TransactWriteItems of this botocore client return when the transaction is committed. One more call each.

    If that call fails, the outcome is unknown, as after a lost answer.
    """

    def wait(http_response: Any, **_: Any) -> None:
        if http_response.status_code == 200:
            client.list_tables(Limit=1)  # the cheapest call that reads the file

    # Last: the hooks of the meter, the breaker and the retries have to hear of the transaction's own answer.
    client.meta.events.register_last("after-call.dynamodb.TransactWriteItems", wait)
