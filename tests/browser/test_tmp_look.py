"""screens"""
import re
import pytest
from playwright.sync_api import expect
from tests.conftest import post
from tests.browser import steps
from moderation.services.report import file_report
from moderation.services.decide import decide_case, Decision
from moderation.services.appeal import appeal, answer_appeal
from moderation.services.undo import undo_action
from moderation.cases import CaseId, read_case
from moderation.models import ActionKind, CaseKind
from accounts.services.follow import follow
OUT="/tmp/looks"
def act(mod, person, by, kind, **kw):
    file_report(by=by, person_id=person.user_id, post_id=(kw.get("posts") or ("",))[0], rule_id="spam", severity=3, comment="Again and again")
    cid=CaseId(CaseKind.PERSON, person.user_id)
    return cid, decide_case(by=mod, case_id=cid, decision=Decision(kind, **kw), version=int(read_case(cid).version))
def test_look(signed_in, alice, bob, carol, mod, drain_stream, watch):
    watch.expect("422"); follow(by=alice,user_id=bob.user_id)
    p1=post(bob,"Buy my wonderful tea now!\nhttps://example.org/tea"); p2=post(bob,"Second tea post, buy it"); post(bob,"Tea, tea, tea. Third one."); post(carol,"A quiet morning by the lake.")
    drain_stream()
    file_report(by=alice, person_id=carol.user_id, rule_id="", comment="She writes me again and again, although I asked her not to.")
    act(mod,carol,bob,ActionKind.DISMISS)
    _,a1=act(mod,bob,alice,ActionKind.WARN,text="Please do not advertise your tea under every post.")
    cid,a2=act(mod,bob,alice,ActionKind.HIDE,posts=(p1,p2),text="This is advertising, which our rules do not allow. It is hidden now.")
    appeal(person_id=bob.user_id, action_id=a2, text="It was a gift for a friend, and I will not do it again. Could you look once more?")
    answer_appeal(by=mod, case_id=cid, action_id=a2, text="Which friend do you mean?", version=int(read_case(cid).version), grant=None)
    appeal(person_id=bob.user_id, action_id=a2, text="Carol.")
    _,a3=act(mod,bob,carol,ActionKind.LIMIT,until="2027-01-03T10:00:00+00:00", text="A week's rest.")
    undo_action(by=mod, case_id=cid, action_id=a3)
    _,a4=act(mod,bob,carol,ActionKind.FREEZE,until="2027-01-03T10:00:00+00:00", text="A few weeks of rest.")
    for scheme in ("light","dark"):
        for name,vp in (("phone",{"width":390,"height":844}),("desktop",{"width":1366,"height":850})):
            o=dict(viewport=vp,color_scheme=scheme)
            page=signed_in(alice,**o)
            def shot(n, full=True): page.screenshot(path=f"{OUT}/{n}-{name}-{scheme}.png",full_page=full)
            page.goto("/"); page.locator("article.post").first.locator("summary").click(); shot("menu",False)
            page.get_by_role("link",name="Report post").click(); expect(page.get_by_role("dialog")).to_be_visible(); shot("dialog",False)
            page.get_by_role("dialog").get_by_role("button",name="Report").click(); expect(page.get_by_role("alert")).to_be_visible(); shot("dialog422",False)
            page.goto(f"/@bob/posts/{p1}/report" if False else "/@bob/report"); shot("page")
            page.goto("/settings/reports"); shot("own")
            page=signed_in(bob,**o)
            page.goto("/standing"); shot("standing")
            page.goto(f"/standing/{a2}"); shot("strike-appealed")
            page.goto(f"/standing/{a1}"); shot("strike")
            page.goto(f"/standing/{a3}"); shot("strike-undone")
