"""The alarms of the stack: each has its line in the runbook, its curve on the dashboard, and writes to the operator."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.aws.test_template import resources, template

RUNBOOK = Path(settings.BASE_DIR) / "docs" / "runbook.md"
STACK = "${AWS::StackName}-"
ROW = re.compile(r"^\| `(?P<name>[\w-]+)` \| (?P<means>[^|]+) \| (?P<do>[^|]+) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def alarms():
    return resources("AWS::CloudWatch::Alarm")


def test_each_alarm_has_its_line_in_the_runbook_and_each_line_its_alarm(alarms):
    rows = {row["name"]: row for row in ROW.finditer(_section("Alarms of Amazon"))}
    told = {one["AlarmName"]["Fn::Sub"].removeprefix(STACK): one for one in alarms.values()}
    assert rows.keys() == {*told, "budget"}
    for name, one in told.items():
        assert rows[name]["means"].strip() == one["AlarmDescription"] + ".", name
        links = re.findall(r"\]\(#([\w-]+)\)", rows[name]["do"])
        assert all(link in _headings() for link in links), name


def test_each_tells_the_operator_when_it_begins_and_when_it_ends(alarms):
    for name, one in alarms.items():
        assert one["AlarmActions"] == one["OKActions"] == [{"Ref": "AlarmTopic"}], name
    (topic,) = (t for n, t in resources("AWS::SNS::Topic").items() if n == "AlarmTopic")
    assert topic["Subscription"] == [{"Protocol": "email", "Endpoint": {"Ref": "Email"}}]
    (budget,) = resources("AWS::Budgets::Budget").values()
    for one in budget["NotificationsWithSubscribers"]:
        assert [who["Address"] for who in one["Subscribers"]] == [{"Ref": "Email"}]


def test_they_watch_what_a_site_fails_by(alarms):
    of_amazon = [one for one in alarms.values() if isinstance(one["Namespace"], str)]
    watched = {(one["Namespace"], one["MetricName"]) for one in of_amazon}
    assert watched == {
        ("AWS/DynamoDB", "ReadThrottleEvents"),
        ("AWS/DynamoDB", "WriteThrottleEvents"),
        ("AWS/Lambda", "IteratorAge"),
        ("AWS/SQS", "ApproximateNumberOfMessagesVisible"),
        ("AWS/SQS", "ApproximateAgeOfOldestMessage"),
        ("AWS/ApplicationELB", "HTTPCode_Target_5XX_Count"),
        ("AWS/ApplicationELB", "HTTPCode_ELB_5XX_Count"),
        ("AWS/ApplicationELB", "HealthyHostCount"),
        ("AWS/SES", "Reputation.BounceRate"),
        ("AWS/SES", "Reputation.ComplaintRate"),
    }


def test_the_dashboard_shows_what_they_watch_and_how_they_stand(alarms):
    body = _dashboard()
    shown = set(_metrics(body))
    for name, one in alarms.items():
        space = one["Namespace"]
        space = space if isinstance(space, str) else "${AWS::StackName}"
        assert (space, one["MetricName"]) in shown, name
    (widget,) = (one for one in body["widgets"] if one["type"] == "alarm")
    # An alarm that is there under Lambda alone would be an error of the widget where there is none.
    always = {
        one["AlarmName"]["Fn::Sub"]
        for name, one in alarms.items()
        if template()["Resources"][name]["Condition"] == "IsRunning"
    }
    begin = "arn:${AWS::Partition}:cloudwatch:${AWS::Region}:${AWS::AccountId}:alarm:"
    assert set(widget["properties"]["alarms"]) == {begin + name for name in always}


def test_no_two_widgets_of_the_dashboard_lie_on_each_other():
    taken: set[tuple[int, int]] = set()
    for one in _dashboard()["widgets"]:
        place = {
            (x, y)
            for x in range(one["x"], one["x"] + one["width"])
            for y in range(one["y"], one["y"] + one["height"])
        }
        assert not place & taken
        assert one["x"] + one["width"] <= 24
        taken |= place


def _dashboard():
    (board,) = resources("AWS::CloudWatch::Dashboard").values()
    return json.loads(board["DashboardBody"]["Fn::Sub"])


def _metrics(body) -> Iterator[tuple[str, str]]:
    for one in body["widgets"]:
        before: list[str] = []
        for row in one["properties"].get("metrics", ()):
            words = [word for word in row if isinstance(word, str)]
            if words[0] == "...":
                words = [*before[: 1 - len(words) or None], *words[1:]]
            words = [before[n] if word == "." else word for n, word in enumerate(words)]
            yield words[0], words[1]
            before = words


def _section(title: str) -> str:
    text = RUNBOOK.read_text()
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _headings() -> set[str]:
    titles = re.findall(r"^#+ (.+)$", RUNBOOK.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
