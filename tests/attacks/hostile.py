"""What a hostile client sends: methods, headers, cookies, queries, bodies, each where something else is expected."""

from tests.web.naughty import BROKEN_BYTES, STRINGS

METHODS = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "X" * 50,
]

VALUES = [
    *STRINGS, "", "[", "]", "[]", "http://[::1", "http://[", "//[", "http://%zz", "\\", "..", "0", "-1", "1e400",
    "9" * 5_000, "2026-13", "2026-00", "0000-00", "9999-99", "99999-12", "person", "post", "sign-up", "admin",
    "moderator", "suspend", "x" * 300, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "zz#zz", "a,b,c",
    "\ud7ff", "inf", "-inf", "nan", "1_000", "٣", "²", "true", "null", "%", "%00", "+", "&", "=", "?", "#", "'", '"',
]  # fmt: skip

HOSTS = [
    "evil.example", "testserver:99999", "testserver:x", "[::1", "[::1]:80", "a b", "testserver@evil", "", ".", "..",
    "x" * 300, "testserver.", "TESTSERVER", "testserver, evil", "tést", "xn--", "127.0.0.1", "0", "testserver:",
    "testserver:0", "testserver:-1", "[", "]", "%00", "testserver/evil", "testserver?x", "testserver#x",
]  # fmt: skip

HEADERS = [
    "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie", "Content-Encoding", "Content-Type",
    "Date", "Expect", "Forwarded", "From", "HX-Boosted", "HX-Current-URL", "HX-Current-URL-URI-AutoEncoded",
    "HX-History-Restore-Request", "HX-Prompt", "HX-Prompt-URI-AutoEncoded", "HX-Request", "HX-Target", "HX-Trigger",
    "HX-Trigger-Name", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Origin",
    "Purpose", "Range", "Referer", "Sec-Fetch-Site", "Triggering-Event", "User-Agent", "X-CSRFToken",
    "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-HTTP-Method-Override",
    "X-Original-URL", "X-Real-IP", "X-Request-ID", "X-Requested-With", "X-Rewrite-URL",
]  # fmt: skip

COOKIES = [
    "session",
    "csrf",
    "preferences",
    "messages",
    "device",
    "time_zone",
    "django_language",
    "x" * 200,
]

QUERIES = ["page", "next", "since", "show", "done", "month", "q", "invite", "besides", "dismissed", "posts", "recovery",
           "action", "version", "moderator", "person", "again", "kind", "state", "queue", "rule", "tag"]  # fmt: skip

FIELDS = [
    "csrfmiddlewaretoken", "content", "nonce", "audience", "circle", "on", "place", "next", "handle", "name",
    "email", "password", "account", "code", "bio", "location", "gender", "avatar", "remove_avatar", "file",
    "header", "remove_header",
    "kind", "theme", "language", "zone", "scroll", "shortcuts", "cases", "act", "action", "version", "text",
    "until", "length", "answer", "to", "moderator", "role", "permissions", "title", "severity", "pattern",
    "effect", "domains", "networks", "uses", "days", "sign_up", "reason", "rules", "posts", "sign_in", "new",
]  # fmt: skip

PART = b'--x\r\nContent-Disposition: form-data; name="avatar"; filename="%s"\r\n\r\n%s\r\n--x--\r\n'
BODIES: list[tuple[str, bytes]] = [
    ("application/json", b'{"a": [1, {"b": null}]}'),
    ("application/json", b"{"),
    ("application/xml", b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'),
    ("multipart/form-data", b"no boundary"),
    ("multipart/form-data; boundary=", b"--\r\n\r\n"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--" + b"x" * 300),
    ("multipart/form-data; boundary=x", b"--x"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name\r\n\r\n1\r\n--x--"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Transfer-Encoding: base64\r\n\r\n!!\r\n--x--"),
    ("multipart/form-data; boundary=x", PART % (b"../../../etc/passwd", b"x")),
    ("multipart/form-data; boundary=x", PART % (b"\xff\xfe\x00.png", b"\x89PNG\r\n\x1a\n")),
    ("multipart/form-data; boundary=x", PART % (b"a.png", b"")),
    ("multipart/form-data; boundary=\xff", b"x"),
    ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(2_000))),
    ("application/x-www-form-urlencoded; charset=utf-16", b"a=1"),
    ("application/x-www-form-urlencoded; charset=\x01", b"a=1"),
    ("application/x-www-form-urlencoded", b"%"),
    ("application/x-www-form-urlencoded", b"on=%ff%fe&content=%ed%a0%80&nonce=%00"),
    ("", b"on=1"),
    ("text/plain", b"on=1"),
    *(("application/x-www-form-urlencoded", b"content=" + broken) for broken in BROKEN_BYTES),
]  # fmt: skip


def on_the_wire(text: str) -> str:
    """As a header's value reaches the site: bytes read as Latin-1, without the NUL and ends of lines that gunicorn and
    proxies refuse."""
    raw = text.encode("utf-8", "replace").decode("latin-1")
    return raw.translate({0: None, 10: None, 13: None})[:4_000]
