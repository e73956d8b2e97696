"""What tests are given prepared is what the site makes: a table like its own, people as they signed up."""

from accounts.people.reads import get_user_info
from socialsite.table.connection import client, table_name
from socialsite.table.schema import create_table
from tests.prepared import everything
from tests.tables import CAST, person, use_table

OF_THIS_TABLE = {"TableName", "TableArn", "TableId", "CreationDateTime", "ItemCount"}
OF_ITS_STREAM = {"LatestStreamArn", "LatestStreamLabel"}


def described() -> dict[str, object]:
    answer = client().describe_table(TableName=table_name())["Table"]
    answer["GlobalSecondaryIndexes"] = [
        {name: value for name, value in index.items() if name != "IndexArn"}
        for index in answer["GlobalSecondaryIndexes"]
    ]
    own = {name: answer[name] for name in answer.keys() - OF_THIS_TABLE - OF_ITS_STREAM}
    ends = client().describe_time_to_live(TableName=table_name())["TimeToLiveDescription"]
    return own | {"ends": ends}


def test_a_prepared_table_is_like_one_that_the_site_makes(table):
    prepared, names = described(), {item["SK"]["S"] for item in everything()}
    use_table(f"{table}-anew")
    create_table()
    try:
        assert described() == prepared
        assert {item["SK"]["S"] for item in everything()} == names
    finally:
        client().delete_table(TableName=table_name())
        use_table(table)


def test_a_prepared_person_has_every_item_of_a_sign_up_and_is_read_as_given(table, prepared):
    for handle, (name, role) in CAST.items():
        before = len(everything())
        joined = prepared.join(handle)
        assert get_user_info(joined.user_id) == joined.card
        items = [item for item in everything() if item.get("user_id") == {"S": joined.user_id}]
        assert len(everything()) - before == len(items)
        anew = person(f"{handle}_anew", name, role)
        written = [item for item in everything() if item.get("user_id") == {"S": anew.user_id}]
        assert sorted(map(sorted, items)) == sorted(map(sorted, written))
