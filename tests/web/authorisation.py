"""What people may do: one row for every address and method, one letter for every kind of person. Settings are in
`staff_authorisation.py`, the pages of staff in `staff_authorisation.py`.

The kinds stand to Alice as their names say; she is the author, and her account is locked. A letter is the answer:

    y  it is done or shown (200, 204, a redirect to somewhere else than the sign-in page, or what is wrong in the form)
    i  sign in first
    s  the account is suspended: how it stands
    n  there is nothing here (404)
    x  forbidden, with a sentence (403)
    c  not possible as things stand, with a sentence (409)
    b  makes no sense of oneself (400)
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from socialsite.clock import utc_now

KINDS = (
    "visitor",
    "stranger",
    "follower",
    "pending",
    "friend",
    "circle",
    "blocked",
    "blocker",
    "muted",
    "author",
)
# Kinds whose letter follows from those of the others; a row that differs says so (`but`).
FOLLOWING: dict[str, Callable[[dict[str, str]], str]] = {
    # Alice's friend, who follows her: suspended since, and signed in.
    "suspended": lambda letters: letters["visitor"].replace("i", "s"),
    # Strangers to Alice, but that they have a role.
    "moderator": lambda letters: letters["stranger"],
    "admin": lambda letters: letters["stranger"],
}
THIS_YEAR = utc_now().year  # the page of the year before is there too, should it end now
EVERYONE = "yyyyyyyyyy"
NOBODY = "nnnnnnnnnn"
MEMBERS = "iyyyyyyyyy"
# What Alice shows: not to whom she blocks. Who blocks her sees that they do, and no more.
PERSON = "yyyyyynyyy"
# What is Alice's besides: nothing between two of whom one blocks the other.
POST = "yyyyyynnyy"


@dataclass(frozen=True)
class Row:
    """One address with a method; `{post}` is the id of Alice's post of the kind that the row names."""

    name: str  # of the URL pattern
    method: str
    address: str
    may: str
    form: dict[str, str] = field(default_factory=dict)
    audience: str = ""
    differing: dict[str, str] = field(default_factory=dict)
    asks: bool = False  # the post has a poll

    def letters(self) -> dict[str, str]:
        """The answer to every kind."""
        stated = dict(zip(KINDS, self.may, strict=True))
        following = {kind: follows(stated) for kind, follows in FOLLOWING.items()}
        return stated | following | self.differing


def get(name: str, address: str, may: str, audience: str = "") -> Row:
    return Row(name, "get", address, may, audience=audience)


def post(name: str, address: str, may: str, /, **form: str) -> Row:
    return Row(name, "post", address, may, form)


def but(row: Row, **differing: str) -> Row:
    """The row, for some kinds with another letter than the one that would follow."""
    return replace(row, differing=differing)


OPEN = [
    but(get("home", "/", EVERYONE), suspended="s"),
    get("local", "/local", EVERYONE),
    get("search", "/search?q=a", EVERYONE),
    get("search", "/search?tab=posts&q=aa", EVERYONE),
    get("tag", "/tags/cats", EVERYONE),
    get("tag_atom", "/tags/cats/feed.atom", EVERYONE),
    get("explore", "/explore", EVERYONE),
    get("explore_people", "/explore/people", EVERYONE),
    get("site_votes", "/votes", EVERYONE),
    get("site_vote", f"/votes/{'0' * 26}", NOBODY),
    post("vote_of_site", f"/votes/{'0' * 26}/vote", "innnnnnnnn", choice="0"),
    get("about", "/about", EVERYONE),
    get("developers", "/developers", EVERYONE),
    get("status", "/status", EVERYONE),
    get("rules", "/rules", EVERYONE),
    get("transparency", "/transparency", EVERYONE),
    get("transparency_of_year", f"/transparency/{THIS_YEAR}", EVERYONE),
    get("transparency_csv", f"/transparency/{THIS_YEAR}.csv", EVERYONE),
    get("help_now", "/help/now", EVERYONE),
    get("keys", "/help/keys", EVERYONE),
    get("manifest", "/app.webmanifest?l=de", EVERYONE),
    get("service_worker", "/sw.js", EVERYONE),
    get("offline", "/offline", EVERYONE),
    get("favicon", "/favicon.ico", EVERYONE),
    get("robots", "/robots.txt", EVERYONE),
    get("change_password", "/.well-known/change-password", EVERYONE),
    get("related_origins", "/.well-known/webauthn", "nnnnnnnnnn"),  # no other domain is set
    get("passkey_endpoints", "/.well-known/passkey-endpoints", EVERYONE),
    get("security_txt", "/.well-known/security.txt", "nnnnnnnnnn"),  # no contact is set
    get("sign_up", "/signup", EVERYONE),
    get("sign_in", "/login", EVERYONE),
    post("sign_in_with_passkey", "/login/passkey", EVERYONE, credential="{}"),
    but(post("enter_passkey", "/login/code/passkey", "iyyyyyyyyy", credential="{}"), suspended="i"),
    but(get("enter_code", "/login/code", "iyyyyyyyyy"), suspended="i"),
    get("forgot_password", "/password/forgot", EVERYONE),
    post("forgot_password", "/password/forgot", EVERYONE, email="nobody@example.org"),
    get("reset_password", "/password/reset/of-no-letter", NOBODY),
    post("reset_password", "/password/reset/of-no-letter", NOBODY, new_password="x"),
    get("confirm_email", "/email/confirm/of-no-letter", NOBODY),
    post("confirm_email", "/email/confirm/of-no-letter", NOBODY),
    get("unsubscribe", "/u/of-no-letter", NOBODY),
    post("unsubscribe", "/u/of-no-letter", NOBODY),
    get("undo_email_change", "/email/undo/of-no-letter", NOBODY),
    post("undo_email_change", "/email/undo/of-no-letter", NOBODY),
    get("appearance", "/settings/appearance", EVERYONE),
    get("install", "/settings/app", EVERYONE),
    get("settings", "/settings", EVERYONE),
    post("appearance", "/settings/appearance", EVERYONE, theme="dark", language="de"),
    post("language", "/settings/language", EVERYONE, language="de"),
    post("sign_out", "/logout", EVERYONE),
    get("people_to_follow", "/people-to-follow", MEMBERS),
]

OWN = [
    get("new_posts", "/new", MEMBERS),
    but(get("pulse", "/pulse", EVERYONE), suspended="y"),
    but(get("live", "/live", EVERYONE), suspended="y"),
    get("notifications", "/notifications", MEMBERS),
    post("read_notifications", "/notifications/read", MEMBERS, up_to="1"),
    get("liked", "/@alice/likes", "nnnnnnnnny"),
    get("favourites", "/favourites", MEMBERS),
    get("posts_for_you", "/explore/posts", MEMBERS),
    get("followed_tags", "/tags", MEMBERS),
    get("complete", "/complete?q=@al", MEMBERS),
    post("follow_tag", "/tags/cats/follow", MEMBERS, on="1"),
    post("follow_tag", "/tags/cats/follow", MEMBERS, on="0"),
    get("saved", "/saved", MEMBERS),
    get("photos", "/photos", MEMBERS),
    post("photos", "/photos", MEMBERS),
    post("describe_photo", "/photos/{post}/description", "innnnnnnnn", description="x"),
    post("remove_photo", "/photos/{post}/delete", MEMBERS),
    get("public_photo", "/m/abcdefghijklmnopqrstuv/480.webp", NOBODY),
    get("private_photo", "/pm/abcdefghijklmnopqrstuv/480.webp?e=1&s=x", NOBODY),
    get("search", "/search?in=posts&q=a", MEMBERS),
    post("remove_saved", "/saved/{post}/remove", MEMBERS),
    get("rename_folder", "/saved/folder/rename?folder=theirs", "innnnnnnnn"),
    post("rename_folder", "/saved/folder/rename?folder=theirs", "innnnnnnnn", name="Trips"),
    get("delete_folder", "/saved/folder/delete?folder=theirs", "innnnnnnnn"),
    post("delete_folder", "/saved/folder/delete?folder=theirs", "innnnnnnnn"),
    get("compose", "/posts/new", MEMBERS),
    post("publish", "/posts", MEMBERS, content="Hello", nonce="n" * 22),
    post("arrange_photos", "/posts/photos", MEMBERS, arrange="earlier 01HZZZZZZZZZZZZZZZZZZZZZZZ"),
    but(get("standing", "/standing", MEMBERS), suspended="y"),
    but(post("standing", "/standing", MEMBERS), suspended="y"),
    but(get("strike", "/standing/{post}", "innnnnnnnn"), suspended="n"),  # of nobody
    but(post("strike", "/standing/{post}", "innnnnnnnn", text="Why?"), suspended="n"),
    get("welcome", "/welcome", MEMBERS),
    get("welcome_progress", "/welcome/progress", MEMBERS),
    get("friends", "/friends", MEMBERS),
    get("circles", "/circles", MEMBERS),
    post("circles", "/circles", MEMBERS, name="Choir"),
    get("rename_circle", "/circles/rename?circle=theirs", "innnnnnnnn"),
    post("rename_circle", "/circles/rename?circle=theirs", "innnnnnnnn", name="Choir"),
    get("delete_circle", "/circles/delete?circle=theirs", "innnnnnnnn"),
    post("delete_circle", "/circles/delete?circle=theirs", "innnnnnnnn"),
    get("requests", "/requests", MEMBERS),
    get("lists", "/lists", MEMBERS),
    post("lists", "/lists", MEMBERS, name="Bakers"),
    get("packs_with", "/lists/packs", MEMBERS),
    get("list_timeline", "/lists/{post}", "innnnnnnnn"),
    get("list_people", "/lists/{post}/people", "innnnnnnnn"),
    post("list_people", "/lists/{post}/people", "innnnnnnnn", handle="alice"),
    post("remove_from_list", "/lists/{post}/people/remove", "innnnnnnnn", person="x"),
    get("edit_list", "/lists/{post}/edit", "innnnnnnnn"),
    post("edit_list", "/lists/{post}/edit", "innnnnnnnn", name="Bakers"),
    get("delete_list", "/lists/{post}/delete", "innnnnnnnn"),
    post("delete_list", "/lists/{post}/delete", "innnnnnnnn"),
    get("offer_pack", "/lists/{post}/pack", "innnnnnnnn"),
    post("offer_pack", "/lists/{post}/pack", "innnnnnnnn", title="Bakers"),
]

OF_ALICE = [
    get("profile", "/@alice", PERSON),
    get("atom", "/@alice/feed.atom", EVERYONE),  # as visitors see it, whoever asks
    get("replies", "/@alice/replies", PERSON),
    get("card", "/@alice/card", POST),
    get("profile_media", "/@alice/media", PERSON),
    get("describe_photos", "/@alice/posts/{post}/descriptions", "innnnnnnny"),
    post("describe_photos", "/@alice/posts/{post}/descriptions", "innnnnnnny"),
    get("photo", "/@alice/posts/{post}/photos/1", POST),
    get("photo", "/@alice/posts/{post}/photos/1", "nnynnnnnny", "followers"),
    get("photo", "/@alice/posts/{post}/photos/1", "nnnnyynnny", "friends"),
    get("photo", "/@alice/posts/{post}/photos/1", "nnnnnnnnny", "me"),
    get("followers", "/@alice/followers", POST),
    get("following", "/@alice/following", POST),
    get("post", "/@alice/posts/{post}", POST),
    get("post", "/@alice/posts/{post}", "nnynnnnnny", "followers"),
    get("post", "/@alice/posts/{post}", "nnnnyynnny", "friends"),
    get("post", "/@alice/posts/{post}", "nnnnnynnny", "circle"),
    get("post", "/@alice/posts/{post}", "nnnnnnnnny", "me"),
    get("likers", "/@alice/posts/{post}/likers", POST),
    get("reposters", "/@alice/posts/{post}/reposters", POST),
    post("repost", "/@alice/posts/{post}/repost", "iyyyyynnyy", on="1"),
    get("quotes", "/@alice/posts/{post}/quotes", POST),
    get("quote", "/@alice/posts/{post}/quote", "iyyyyynnyy"),
    get("quote", "/@alice/posts/{post}/quote", "innnnnnnnn", "friends"),
    post("quote", "/@alice/posts/{post}/quote", "iyyyyynnyy", content="Hi", nonce="n" * 22),
    post("withdraw_quote", "/@alice/posts/{post}/withdraw", "innnnnnnnn"),
    get("reply", "/@alice/posts/{post}/reply", "iyyyyynnyy"),
    get("reply", "/@alice/posts/{post}/reply", "inynnnnnny", "followers"),
    post("reply", "/@alice/posts/{post}/reply", "iyyyyynnyy", content="Hi", nonce="n" * 22),
    get("delete", "/@alice/posts/{post}/delete", "innnnnnnny"),
    post("delete", "/@alice/posts/{post}/delete", "innnnnnnny"),
    get("edit", "/@alice/posts/{post}/edit", "innnnnnnny"),
    post("edit", "/@alice/posts/{post}/edit", "innnnnnnny", content="Hi", version="1"),
    get("pin", "/@alice/posts/{post}/pin", "innnnnnnny"),
    post("pin", "/@alice/posts/{post}/pin", "innnnnnnny", on="1"),
    get("history", "/@alice/posts/{post}/history", POST),
    get("history", "/@alice/posts/{post}/history", "nnynnnnnny", "followers"),
    get("history", "/@alice/posts/{post}/history", "nnnnyynnny", "friends"),
    get("history", "/@alice/posts/{post}/history", "nnnnnynnny", "circle"),
    get("history", "/@alice/posts/{post}/history", "nnnnnnnnny", "me"),
    replace(post("vote", "/@alice/posts/{post}/vote", "iyyyyynnyc", choice="0"), asks=True),
    replace(post("vote", "/@alice/posts/{post}/vote", "iyyyyynnyy"), asks=True),
    post("like", "/@alice/posts/{post}/like", "iyyyyynnyy", on="1"),
    get("choose_replies", "/@alice/posts/{post}/replies", "innnnnnnny"),
    post("choose_replies", "/@alice/posts/{post}/replies", "innnnnnnny", replies="nobody"),
    get("change_audience", "/@alice/posts/{post}/audience", "innnnnnnny"),
    get("change_audience", "/@alice/posts/{post}/audience", "innnnnnnny", "me"),
    post("change_audience", "/@alice/posts/{post}/audience", "innnnnnnny", audience="me"),
    post("leave", "/@alice/posts/{post}/leave", "iyyyyynnyy", on="1"),
    post("hide_reply", "/@alice/posts/{post}/hide", "innnnnnnnn", on="1"),
    get("save_post", "/@alice/posts/{post}/save", "iyyyyynnyy"),
    get("save_post", "/@alice/posts/{post}/save", "innnyynnny", "friends"),
    post("save_post", "/@alice/posts/{post}/save", "iyyyyynnyy", note="Later"),
    get("mute_words", "/@alice/posts/{post}/mute-words", "iyyyyynnyy"),
    get("mute_words", "/@alice/posts/{post}/mute-words", "innnyynnny", "friends"),
    post("follow", "/@alice/follow", "iyyyyynxyb", on="1"),
    post("hide_reposts", "/@alice/hide-reposts", "iyyyyynyyb", on="1"),
    post("follow", "/@alice/follow", "iyyyyynyyb", on="0"),
    post("remove_follower", "/@alice/remove-follower", "iyyyyynyyb"),
    post("follow_request", "/@alice/follow-request", "icccccnccb", answer="accept"),
    post("follow_request", "/@alice/follow-request", "iyyyyynyyb", answer="decline"),
    post("follow_request", "/@alice/follow-request", "iyyyyynyyb", answer="withdraw"),
    post("friend", "/@alice/friend", "iyyyyynxyb", on="1"),
    post("friend", "/@alice/friend", "iyyyyynyyb", on="0"),
    post("friend", "/@alice/friend", "icccyynccb", answer="accept"),
    post("friend", "/@alice/friend", "iyyyyynyyb", answer="decline"),
    post("favourite", "/@alice/favourite", "iyyyyynxyb", on="1"),
    post("favourite", "/@alice/favourite", "iyyyyynyyb", on="0"),
    post("subscribe", "/@alice/subscribe", "icccccnccb", on="1"),
    post("subscribe", "/@alice/subscribe", "iyyyyynyyb", on="0"),
    get("mute", "/@alice/mute", "iyyyyynyyb"),
    post("mute", "/@alice/mute", "iyyyyynyyb", on="1", length="1h"),
    post("mute", "/@alice/mute", "iyyyyynyyb", on="0"),
    get("block", "/@alice/block", "iyyyyynyyb"),
    post("block", "/@alice/block", "iyyyyyyyyb", on="1"),
    post("block", "/@alice/block", "iyyyyyyyyb", on="0"),
    get("report_person", "/@alice/report", "iyyyyynyyb"),
    post("report_person", "/@alice/report", "iyyyyynyyb", reason="spam"),
    get("report_post", "/@alice/posts/{post}/report", "iyyyyynnyb"),
    get("report_post", "/@alice/posts/{post}/report", "inynnnnnnb", "followers"),
    get("report_post", "/@alice/posts/{post}/report", "innnyynnnb", "friends"),
    get("report_post", "/@alice/posts/{post}/report", "innnnynnnb", "circle"),
    get("report_post", "/@alice/posts/{post}/report", "innnnnnnnb", "me"),
    post("report_post", "/@alice/posts/{post}/report", "iyyyyynnyb", reason="spam"),
    get("person_lists", "/@alice/lists", "iyyyyynyyb"),
    post("person_lists", "/@alice/lists", "iyyyyynyyb"),
    get("pack", "/@alice/packs/{post}", NOBODY),
    post("follow_pack", "/@alice/packs/{post}/follow", "innnnnnnnn"),
    post("leave_pack", "/@alice/packs/{post}/leave", "innnnnnnnn", on="1"),
    get("report_pack", "/@alice/packs/{post}/report", "innnnnnnnb"),
    post("report_pack", "/@alice/packs/{post}/report", "innnnnnnnb", reason="spam"),
    get("friend_circles", "/@alice/circles", "innnyynnnb"),
    post("friend_circles", "/@alice/circles", "innnyynnnb", new="x"),
    post("dismiss_suggestion", "/people-to-follow/alice/dismiss", "iyyyyyyyyb", on="1"),
]

# Answered elsewhere: uploads have their own tests, and None is every address that is not there.
ELSEWHERE = {"media", None}

ROWS = [*OPEN, *OWN, *OF_ALICE]
