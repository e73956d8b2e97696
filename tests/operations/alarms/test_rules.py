"""The rules of alarms: one list, the file for Prometheus made of it, and a line of the runbook for each."""

import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from accounts.permissions import BUILT_IN
from operations.alarms.rules import ALARMS, BY_NAME, SEEN_BY_SITE, for_prometheus
from operations.alarms.runbook import runbook_lines
from operations.alarms.views import PLACES

FILE = Path(settings.BASE_DIR) / "deploy" / "alarms.yml"
OWN = Path(settings.BASE_DIR) / ".venv" / "bin" / "promtool"


def promtool(*arguments: str, folder: Path) -> str:
    program = str(OWN) if OWN.exists() else shutil.which("promtool")
    if not program:
        pytest.skip("tools/install-promtool brings it")
    done = subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_file_for_prometheus_is_made_of_the_list():
    """`manage.py alarms --prometheus > deploy/alarms.yml` makes it."""
    assert FILE.read_text() == for_prometheus()


def test_prometheus_takes_all_rules():
    assert f"{len(ALARMS)} rules found" in promtool("check", "rules", str(FILE), folder=FILE.parent)


def test_each_has_a_line_of_the_runbook_and_nothing_else_has():
    assert set(runbook_lines()) == set(BY_NAME)
    for name, steps in runbook_lines().items():
        assert all(steps), name
        assert f"### {name}" in (Path(settings.BASE_DIR) / "docs" / "runbook.md").read_text()


def test_each_wakes_those_who_have_a_page_to_look_at():
    for alarm in ALARMS:
        assert alarm.wakes in BUILT_IN["admin"]
        assert alarm.wakes in PLACES


def test_the_site_sees_all_but_those_of_rates():
    others = [alarm.name for alarm in ALARMS if alarm not in SEEN_BY_SITE]
    assert others == ["Faults", "Refused", "Throttled", "Guessing"]
    assert all("rate(" in BY_NAME[name].expression for name in others)


@pytest.mark.parametrize(
    ("name", "figures", "holds"),
    [
        ("TableAway", {"table_up": 0}, True),
        ("TableAway", {"table_up": 1}, False),
        ("TableAway", {}, None),  # the figure is not there
        ("DiskFull", {"data_disk_free_bytes": 99e6}, True),
        ("DiskFull", {"data_disk_free_bytes": 101e6}, False),
        ("SignUpFlood", {"sign_ups_an_hour": 5, "sign_ups_an_hour_most": 4}, True),
        ("SignUpFlood", {"sign_ups_an_hour": 5}, None),
        ("Faults", {"site_requests_total": 5}, None),  # of rates
    ],
)
def test_an_expression_holds_or_not_or_cannot_be_told(name, figures, holds):
    assert BY_NAME[name].holds(figures) is holds


RATES = """
rule_files: [{file}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {{series: 'site_requests_total{{status="500",route="/"}}', values: '0 0 0 3 3 3'}}
      - {{series: 'site_requests_total{{status="503",route="/"}}', values: '0+10x20'}}
      - {{series: 'site_requests_total{{status="200",route="/"}}', values: '0+100x20'}}
      - {{series: 'dynamodb_calls_total{{operation="Query"}}', values: '0+100x20'}}
      - {{series: 'dynamodb_retries_total{{operation="Query"}}', values: '0+6x20'}}
      - {{series: 'security_events_total{{event="wrong-password"}}', values: '0+51x20'}}
      - {{series: 'clock_up', values: '1 1 0 0 0 0 0 0 0 0 1'}}
    alert_rule_test:
      - {{eval_time: 2m, alertname: Faults}}
      - eval_time: 4m
        alertname: Faults
        exp_alerts: [{{exp_labels: {{severity: look, wakes: worker}}, exp_annotations: {faults}}}]
      - eval_time: 8m
        alertname: Refused
        exp_alerts: [{{exp_labels: {{severity: wake, wakes: worker}}, exp_annotations: {refused}}}]
      - eval_time: 8m
        alertname: Throttled
        exp_alerts: [{{exp_labels: {{severity: wake, wakes: worker}}, exp_annotations: {throttled}}}]
      - eval_time: 12m
        alertname: Guessing
        exp_alerts: [{{exp_labels: {{severity: look, wakes: worker}}, exp_annotations: {guessing}}}]
      - {{eval_time: 5m, alertname: ClockAway}}
      - eval_time: 8m
        alertname: ClockAway
        exp_alerts: [{{exp_labels: {{severity: wake, wakes: worker}}, exp_annotations: {clock}}}]
      - {{eval_time: 11m, alertname: ClockAway}}
"""


def test_rates_and_minutes_as_prometheus_reckons_them(tmp_path):
    def told(name: str) -> str:
        alarm = BY_NAME[name]
        return f'{{summary: "{alarm.summary}", runbook: "{alarm.runbook}"}}'

    names = ("Faults", "Refused", "Throttled", "Guessing")
    texts = {name.lower(): told(name) for name in names} | {"clock": told("ClockAway")}
    (tmp_path / "rates.yml").write_text(RATES.format(file=FILE, **texts))
    promtool("test", "rules", "rates.yml", folder=tmp_path)
