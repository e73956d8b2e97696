"""What people may do with private messages: rows as in `authorisation.py`. The conversation of two is that with Alice;
whom she blocks finds nothing there, and who blocks her sees that they do. Groups and messages of others are for nobody,
whatever their role.
"""

from tests.web.authorisation import MEMBERS, NOBODY, Row, get, post

OF_NOBODY = "innnnnnnnn"
# Alice has no conversation with herself.
WITH_ALICE = "iyyyyynyyn"
HAS_ALICE = "iyyyyyyyyn"  # changes only what is one's own
ID = "0" * 26
PAIR, GROUP = "/messages/@alice", f"/messages/groups/{ID}"

CHAT_ROWS: list[Row] = [
    get("chats", "/messages", MEMBERS),
    get("requests", "/messages/requests", MEMBERS),
    get("kept", "/messages/kept", MEMBERS),
    post("forget", f"/messages/kept/{ID}/forget", MEMBERS),
    get("choices", "/settings/messages", MEMBERS),
    post("choices", "/settings/messages", MEMBERS, writers="friends"),
    get("chat", PAIR, WITH_ALICE),
    post("chat", PAIR, WITH_ALICE, content="Hello", nonce=ID),
    get("news", f"{PAIR}/news", NOBODY),  # an open page alone asks
    post("read", f"{PAIR}/read", HAS_ALICE, up_to=ID),
    post("draft", f"{PAIR}/draft", HAS_ALICE, content="Hello"),
    post("days", f"{PAIR}/days", HAS_ALICE, days="30"),
    post("answer", f"{PAIR}/answer", OF_NOBODY, answer="accept"),
    get("message_photo", f"{PAIR}/{ID}/photos/1", OF_NOBODY),
    post("delete", f"{PAIR}/{ID}/delete", OF_NOBODY),
    post("keep", f"{PAIR}/{ID}/keep", OF_NOBODY),
    get("report_messages", f"{PAIR}/report", WITH_ALICE),
    post("report_messages", f"{PAIR}/report", WITH_ALICE, reason="spam"),
    get("chat_of_group", GROUP, OF_NOBODY),
    post("chat_of_group", GROUP, OF_NOBODY, content="Hello", nonce=ID),
    get("news_of_group", f"{GROUP}/news", NOBODY),
    post("read_of_group", f"{GROUP}/read", MEMBERS, up_to=ID),
    post("draft_of_group", f"{GROUP}/draft", MEMBERS, content="Hello"),
    post("days_of_group", f"{GROUP}/days", OF_NOBODY, days="30"),
    get("message_photo_of_group", f"{GROUP}/{ID}/photos/1", OF_NOBODY),
    post("delete_of_group", f"{GROUP}/{ID}/delete", OF_NOBODY),
    post("keep_of_group", f"{GROUP}/{ID}/keep", OF_NOBODY),
    get("report_group", f"{GROUP}/report", OF_NOBODY),
    post("mute", f"{PAIR}/mute", OF_NOBODY, length="1 week"),
    post("clear", f"{PAIR}/clear", OF_NOBODY, up_to=ID),
    post("mute_of_group", f"{GROUP}/mute", OF_NOBODY, length="1 week"),
    post("clear_of_group", f"{GROUP}/clear", OF_NOBODY, up_to=ID),
    get("new_group", "/messages/groups/new", MEMBERS),
    post("new_group", "/messages/groups/new", MEMBERS, title="Tea"),
    get("people_of_group", f"{GROUP}/people", OF_NOBODY),
    post("people_of_group", f"{GROUP}/people", OF_NOBODY, handles="bob"),
    post("name_group", f"{GROUP}/name", OF_NOBODY, title="Tea"),
    post("remove_from_group", f"{GROUP}/remove", OF_NOBODY, person=ID),
    post("leave_group", f"{GROUP}/leave", MEMBERS),
    post("answer_invitation", f"{GROUP}/answer", OF_NOBODY, answer="accept"),
    post("report_group", f"{GROUP}/report", OF_NOBODY, reason="spam"),
]
