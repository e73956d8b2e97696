"""The views of moderation, as `view_cases.py` has the others: reporting, and what moderators open and write."""

from collections.abc import Callable

from django.http import HttpResponse

from accounts.models import UserInfo
from moderation.cases.lists import get_case, list_cases
from moderation.cases.reads import CaseId
from moderation.models import CaseKind
from moderation.reports.writes import file_report
from socialsite.table import change, keys
from tests.injected.site import Site
from tests.injected.view_cases import Case, form, page

RULE = {"title": "{text}", "text": "{text}", "severity": "3"}


def about_bob(site: Site) -> CaseId:
    return CaseId(CaseKind.PERSON, site.bob.user_id)


def as_admin(site: Site) -> None:
    change(UserInfo, keys.user_info(site.alice.user_id), [UserInfo.role.set("admin")])


def with_case(site: Site) -> None:
    as_admin(site)
    file_report(by=site.carol, person_id=site.bob.user_id, post_id=site.bobs_post)


def reported_once(site: Site) -> None:
    (case,) = list_cases(keys.queue("reports")).items
    assert case.reports == 1


def looked_at(site: Site) -> None:
    looking = get_case(about_bob(site)).case.looking
    assert looking is not None
    assert looking.user_id == site.alice.user_id


def noted(site: Site) -> None:
    assert site.text in {note.text for note in get_case(about_bob(site)).notes}


def on_case(path: str, **fields: str) -> Callable[[Site], HttpResponse]:
    return lambda site: form(f"{about_bob(site).url}{path}", **fields)(site)


MODERATION_CASES = [
    page("report form", "/@bob/report"),
    Case("report", form("/@bob/report", reason="spam"), 302, check=reported_once),
    page("own reports", "/settings/reports"),
    page("standing", "/standing"),
    page("rules", "/rules"),
    page("queue", "/moderation/queue", prepare=with_case),
    Case("case", lambda site: site.browser.get(about_bob(site).url), 200, with_case),
    Case("claim", on_case("/claim", on="1"), 302, with_case, looked_at),
    Case("note", on_case("/note", text="{text}"), 302, with_case, noted),
    page("audit log", "/moderation/log", prepare=as_admin),
    page("overview", "/moderation/overview", prepare=with_case),
    page("costs", "/moderation/costs", prepare=as_admin),
    page("languages", "/moderation/languages", prepare=as_admin),
    page("roles", "/moderation/roles", prepare=as_admin),
    page("site settings", "/moderation/site", prepare=as_admin),
    page("security", "/settings/security"),
    page("passkeys", "/settings/passkeys"),
    page("own email address", "/settings/email"),
]
