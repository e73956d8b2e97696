"""Whatever the engine answers to whichever call of a page: the page comes, or says when to come back.

Each view × each of its calls × each fault × once, until botocore gives up, and for ever. `FAULTS=long` tries all.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.http import HttpResponse

from tests.injected.clock import HurriedClock
from tests.injected.faults import GIVES_UP, combinations
from tests.injected.hook import Fault, Hook
from tests.injected.rotation import IS_LONG, describe, share
from tests.injected.site import Site, build_site
from tests.injected.view_cases import CASES, Case
from tests.injected.view_cases_of_moderation import MODERATION_CASES
from tests.looks import broken_invariants

LONGEST = 5.0  # seconds, waits between tries included
ONE_OF = 32

pytestmark = [pytest.mark.usefixtures("no_limits"), pytest.mark.timeout(1800 if IS_LONG else 120)]


@pytest.fixture
def site(hook: Hook) -> Site:
    return build_site()


@dataclass(frozen=True)
class Trial:
    """One request under one fault, and the same again without."""

    case: Case
    number: int
    fault: Fault
    times: int

    def faults_of(self, site: Site, hook: Hook, clock: HurriedClock) -> Iterator[str]:
        """What is wrong, a sentence each."""
        self.case.prepare(site)
        before = time.thread_time() + clock.slept
        with hook.armed(self.fault, at=self.number, times=self.times):
            answer = self.case.ask(site)
        took = time.thread_time() + clock.slept - before
        if took > LONGEST:
            yield f"took {took:.1f} s"
        yield from self._wrong_answer(answer)
        if answer.status_code == self.case.status:
            yield from self._left_wrong(site, "already")
        again = self.case.ask(site)
        if again.status_code not in (self.case.status, *self._allowed_again(answer)):
            yield f"answers {again.status_code} to the same request afterwards"
        yield from self._left_wrong(site, "after the same again")
        if broken := broken_invariants():
            yield f"breaks {broken}"

    def _left_wrong(self, site: Site, when: str) -> Iterator[str]:
        site.drain()
        try:
            self.case.check(site)
        except AssertionError as error:
            yield f"leaves it wrong, {when}: {error}"

    def _wrong_answer(self, answer: HttpResponse) -> Iterator[str]:
        status = answer.status_code
        if b"Traceback" in answer.content:
            yield "shows a traceback"
        if status == 503:
            if not int(answer.get("Retry-After", 0)):
                yield "does not say when to come back"
            if self.times < GIVES_UP:
                yield "gives up although the next try succeeds"
        elif status != self.case.status:
            yield f"answers {status}"

    def _allowed_again(self, first: HttpResponse) -> tuple[int, ...]:
        return self.case.again if first.status_code == 503 else (429, 422)

    def __str__(self) -> str:
        return f"{self.case.name}, call {self.number}, {self.fault.name} × {self.times}"


@pytest.mark.parametrize(
    "case", [*CASES, *MODERATION_CASES], ids=lambda case: case.name.replace(" ", "-")
)
def test_a_view_answers_or_says_when_to_come_back(
    case: Case, site: Site, hook: Hook, clock: HurriedClock
) -> None:
    case.prepare(site)
    hook.sent.clear()
    assert case.ask(site).status_code == case.status
    calls = list(hook.sent)
    site.drain()
    case.check(site)
    every = list(combinations(calls))
    tried = share(every, one_of=ONE_OF, salt=case.name)
    print(describe(case.name, len(every), len(tried)))
    wrong: list[str] = []
    for number, (call, fault, times) in enumerate(tried, 1):
        site.number = number
        trial = Trial(case, call, fault, times)
        wrong += [f"{trial} ({calls[call]}): {text}" for text in trial.faults_of(site, hook, clock)]
    assert not wrong, "\n".join(wrong)
