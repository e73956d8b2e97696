"""What pages do while faults are injected."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.models import SignIn, UserInfo
from accounts.people.cards import files_of
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.sign_in.writes import sign_in
from feed.home.reads import get_timeline
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from moderation.cases.lists import get_case, list_cases
from moderation.cases.reads import CaseId
from moderation.models import CaseKind
from moderation.reports.writes import file_report
from relations.follows.writes import follow, unfollow
from socialsite.streams.worker import Worker
from socialsite.table import Place, RawItem, change, get, keys, query, write_cursor
from tests.accounts.pictures import encode, halves
from tests.accounts.scenes import check_credentials
from tests.conftest import HTMX, PASSWORD, person, post
from tests.looks import drain


@dataclass
class Site:
    alice: Viewer
    bob: Viewer
    carol: Viewer
    bobs_post: str
    worker: Worker
    browser: Client = field(default_factory=Client)  # alice's
    number: int = 0  # of the combination at hand: what makes forms, handles and texts new
    own_post: str = ""
    kept: Any = None

    @property
    def text(self) -> str:
        return f"Number {self.number} said by alice"

    @property
    def nonce(self) -> str:
        return f"{self.number:022d}"

    @property
    def post_url(self) -> str:
        return f"/@bob/posts/{self.bobs_post}"

    def sign_in(self) -> None:
        self.browser = new_browser()
        session = self.browser.session
        session[SESSION_USER] = self.alice.user_id
        session[SESSION_SECRET] = sign_in(user_id=self.alice.user_id, browser="tests")
        session.save()
        self.browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key

    def visit(self) -> None:
        self.browser = new_browser()

    def drain(self) -> None:
        drain(self.worker)

    def items(self, partition: str) -> list[RawItem]:
        return list(query(partition, consistent=True))

    def posts_of_alice(self) -> list[str]:
        return [raw["content"]["S"] for raw in self.items(keys.posts(self.alice.user_id))]

    def cursor(self, direction: Any) -> str:
        """Of the middle of alice's timeline."""
        entries = self.items(keys.timeline(self.alice.user_id))
        place = Place(direction, entries[len(entries) // 2]["SK"]["S"])
        return write_cursor(keys.timeline(self.alice.user_id), place)

    def timeline(self) -> list[str]:
        return [card.post_id for card in get_timeline(self.alice).items]


def new_browser() -> Client:
    return Client(raise_request_exception=False)


def build_site() -> Site:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    follow(by=alice, user_id=bob.user_id)
    follow(by=carol, user_id=bob.user_id)
    post(bob, "First")
    bobs_post = post(bob, "Second")
    like_post(by=carol, post_id=bobs_post, author_id=bob.user_id)
    site = Site(alice, bob, carol, bobs_post, Worker())
    site.sign_in()
    site.drain()
    return site


# Every view of the site, as someone asks for it, with the state before and what must be true afterwards.


def nothing(site: Site) -> None:
    pass


@dataclass(frozen=True)
class Case:
    """`status` is the answer without faults, `again` what may come instead if the first try did succeed unseen."""

    name: str
    ask: Callable[[Site], HttpResponse]
    status: int = 200
    prepare: Callable[[Site], None] = nothing
    check: Callable[[Site], None] = nothing
    again: tuple[int, ...] = ()


def page(name: str, path: str, *, prepare: Callable[[Site], None] = nothing) -> Case:
    return Case(name, lambda site: site.browser.get(path.format(post=site.post_url)), 200, prepare)


def form(path: str, *, htmx: bool = False, **fields: str) -> Callable[[Site], HttpResponse]:
    """Sends a form; `{text}`, `{nonce}`, `{number}` and `{own}` are the combination's."""

    def send(site: Site) -> HttpResponse:
        words = {
            "text": site.text,
            "nonce": site.nonce,
            "number": site.number,
            "own": site.own_post,
            "post": site.post_url,
        }
        filled = {name: value.format(**words) for name, value in fields.items()}
        return site.browser.post(path.format(**words), filled, headers=HTMX if htmx else {})

    return send


# Before


def some_pages(site: Site) -> None:
    if site.number == 0:
        for number in range(24):
            post(site.bob, f"{number}")
        site.drain()
        site.kept = site.cursor("next"), site.cursor("previous")


def a_day_later(site: Site) -> None:
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    for raw in site.items(keys.sign_ins(site.alice.user_id)):
        key = keys.sign_in(site.alice.user_id, raw["secret_hash"]["S"])
        change(SignIn, key, [SignIn.seen.set(yesterday)])


def not_following(site: Site) -> None:
    unfollow(by=site.alice, user_id=site.bob.user_id)


def following(site: Site) -> None:
    follow(by=site.alice, user_id=site.bob.user_id)


def with_own_post(site: Site) -> None:
    site.own_post = post(site.alice, site.text)
    like_post(by=site.bob, post_id=site.own_post, author_id=site.alice.user_id)


def liked(site: Site) -> None:
    like_post(by=site.alice, post_id=site.bobs_post, author_id=site.bob.user_id)


def not_liked(site: Site) -> None:
    unlike_post(by=site.alice, post_id=site.bobs_post)


# After


def follows(site: Site) -> None:
    assert site.items(keys.following(site.alice.user_id, site.bob.user_id).pk)
    assert site.bobs_post in site.timeline()


def follows_no_more(site: Site) -> None:
    assert not site.items(keys.following(site.alice.user_id, site.bob.user_id).pk)
    assert site.bobs_post not in site.timeline()


def one_post(site: Site) -> None:
    assert site.posts_of_alice().count(site.text) == 1


def post_gone(site: Site) -> None:
    assert site.text not in site.posts_of_alice()
    assert not site.items(keys.likes(site.own_post))


def two_likes(site: Site) -> None:
    assert get_like_count(site.bobs_post) == 2


def one_like(site: Site) -> None:
    assert get_like_count(site.bobs_post) == 1


def renamed(site: Site) -> None:
    assert get_user_info(site.alice.user_id).name == site.text


def described(site: Site) -> None:
    assert get_user_info(site.alice.user_id).bio == site.text


def has_picture(site: Site) -> None:
    renamed(site)
    info = get(UserInfo, keys.user_info(site.alice.user_id), consistent=True)
    for name in (info.avatar, info.header):
        assert name, "no picture"
        assert all(map(default_storage.exists, files_of(name).values())), "a picture's file is gone"


def dark(site: Site) -> None:
    assert b'data-theme="dark"' in site.browser.get("/").content


def german(site: Site) -> None:
    assert site.browser.get("/")["Content-Language"] == "de"


def signed_up_once(site: Site) -> None:
    assert check_credentials(account=f"dora{site.number}", password=PASSWORD)


def signed_in(site: Site) -> None:
    assert b"/logout" in site.browser.get("/").content


def signed_out(site: Site) -> None:
    assert b"/logout" not in site.browser.get("/").content


def seen_today(site: Site) -> None:
    (raw,) = site.items(keys.sign_ins(site.alice.user_id))
    sign_in = get(SignIn, keys.sign_in(site.alice.user_id, raw["secret_hash"]["S"]))
    assert sign_in.seen == datetime.now(UTC).date().isoformat()


def send_picture(site: Site) -> HttpResponse:
    picture = encode(halves((40, 40)), "PNG")
    uploads = {name: SimpleUploadedFile("me.png", picture) for name in ("avatar", "header")}
    return site.browser.post("/settings/profile", {"name": site.text} | uploads)


LIKE, FOLLOW = "{post}/like", "/@bob/follow"
ACCOUNT = {"account": "alice", "password": PASSWORD}
NEWCOMER = {
    "handle": "dora{number}",
    "name": "Dora",
    "email": "dora{number}@example.org",
    "password": PASSWORD,
}
WORDS = {"content": "{text}", "nonce": "{nonce}"}

CASES = [
    page("home", "/"),
    page("landing page", "/", prepare=Site.visit),
    Case("home on another day", lambda site: site.browser.get("/"), 200, a_day_later, seen_today),
    Case("older page", lambda site: site.browser.get("/", {"page": site.kept[0]}), 200, some_pages),
    Case(
        "new posts",
        lambda site: site.browser.get("/pulse", {"since": site.kept[1]}, headers=HTMX),
        200,
        some_pages,
    ),
    page("local timeline", "/local"),
    page("profile", "/@bob"),
    page("profile to a visitor", "/@bob", prepare=Site.visit),
    page("followers", "/@bob/followers"),
    page("following", "/@alice/following"),
    page("search", "/search?q=bo"),
    page("search in posts", "/search?tab=posts&q=hello+cats"),
    page("explore", "/explore"),
    page("people of explore", "/explore/people"),
    Case("people to follow", lambda site: site.browser.get("/people-to-follow", headers=HTMX), 200),
    page("first steps", "/welcome"),
    Case("first step", form("/welcome", bio="{text}"), 302, check=described),
    Case(
        "own header",
        lambda site: site.browser.get("/settings/profile/header", headers=HTMX),
        200,
    ),
    page("post", "{post}"),
    page("likers", "{post}/likers"),
    page("composer", "/posts/new"),
    page("settings", "/settings/profile"),
    page("appearance", "/settings/appearance"),
    Case("sign in", form("/login", **ACCOUNT), 302, Site.visit, signed_in),
    Case("sign up", form("/signup", **NEWCOMER), 302, Site.visit, signed_up_once, (422,)),
    Case("sign out", form("/logout"), 302, Site.sign_in, signed_out),
    Case("follow", form(FOLLOW, on="1"), 302, not_following, follows),
    Case("follow by button", form(FOLLOW, htmx=True, on="1"), 200, not_following, follows),
    Case("unfollow", form(FOLLOW, on="0"), 302, following, follows_no_more),
    Case("publish", form("/posts", **WORDS), 302, check=one_post),
    Case("publish at once", form("/posts", htmx=True, **WORDS), check=one_post),
    Case(
        "question before deleting",
        lambda site: site.browser.get(f"/@alice/posts/{site.own_post}/delete"),
        200,
        with_own_post,
    ),
    Case("delete", form("/@alice/posts/{own}/delete"), 302, with_own_post, post_gone),
    Case("like", form(LIKE, on="1"), 302, not_liked, two_likes),
    Case("like by button", form(LIKE, htmx=True, on="1"), 200, not_liked, two_likes),
    Case("unlike", form(LIKE, on="0"), 302, liked, one_like),
    Case("edit profile", form("/settings/profile", name="{text}"), 302, check=renamed),
    Case(
        "edit profile in place", form("/settings/profile", htmx=True, name="{text}"), check=renamed
    ),
    Case("theme", form("/settings/appearance", theme="dark"), 302, check=dark),
    Case("language", form("/settings/language", language="de"), 302, check=german),
    Case("new picture", send_picture, 302, check=has_picture),
]

# The views of moderation, as `view_cases.py` has the others: reporting, and what moderators open and write.

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
    page("desk", "/moderation/desk", prepare=as_admin),
    page("juniors", "/moderation/juniors", prepare=as_admin),
    page("roles", "/moderation/roles", prepare=as_admin),
    page("site settings", "/moderation/site", prepare=as_admin),
    page("security", "/settings/security"),
    page("passkeys", "/settings/passkeys"),
    page("own email address", "/settings/email"),
]
