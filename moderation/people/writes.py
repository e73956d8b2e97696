"""What staff do about people, each with its entry in the log: notes for each other, opening a case about someone whom
they met themselves (a report like any other, in their name, but without a limit), and looking for accounts.

The table knows addresses by their keyed hash alone, so only the whole address finds anyone. The log says who looked
and how many they found, without the domain or the network, which would stay in it for ever.
"""

from collections.abc import Sequence
from contextlib import suppress

from accounts.encryption.emails import email_hmacs
from accounts.models import UserInfo
from accounts.people.reads import find_user_by_email
from accounts.people.viewer import Viewer
from moderation.cases.reads import CaseId, CaseMoved, must_outrank
from moderation.log.writes import record, record_with
from moderation.models import CaseKind, PersonNote
from moderation.people.reads import Accounts, list_of_domain, list_of_network, list_other_accounts
from moderation.reports.writes import Filing, file_report, report_actions
from relations.relation import CannotRelateToYourself
from socialsite.site_settings.site_rules import rule_of
from socialsite.table import (
    Check,
    Create,
    NotFound,
    WriteAction,
    access_pattern,
    ids,
    keys,
    reading,
    transact,
    write_optimistically,
)


@access_pattern
def note_person(*, by: Viewer, user_id: str, text: str) -> str:
    """Leaves a note and returns its id. Two consistent GetItems, of the person and the log's head, then one
    TransactWriteItems, 8 write units. In all 8 write units and 2 read units. Raises `NotFound`, `Outranked`."""
    must_outrank(by, reading.get(UserInfo, keys.user_info(user_id), consistent=True).role or "")
    note_id = ids.new_id()
    key = keys.person_note(user_id, note_id)
    note = PersonNote(*key, user_id=user_id, note_id=note_id, moderator_id=by.user_id, text=text)
    there = Check(keys.user_info(user_id), UserInfo.pk.exists())
    record(there, Create(note), by=by.user_id, action="note on person", person_id=user_id)
    return note_id


@access_pattern
def open_case(
    *, by: Viewer, person_id: str, rule_id: str = "", posts: Sequence[str] = (), comment: str = ""
) -> CaseId:
    """Opens a case about a person and some of their posts, or joins the open one. Returns its id. Safe to repeat: who
    has reported the person in this round of the case reports nothing again, and enters nothing in the log.

    Costs as `file_report`, and once a consistent GetItem of the log's head and 4 write units. Each further post costs
    another `file_report`. In all 13 write units and 5 read units. Raises `NotFound`, `CannotRelateToYourself`,
    `Conflict`.
    """
    if by.user_id == person_id:
        raise CannotRelateToYourself
    case_id, severity = CaseId(CaseKind.PERSON, person_id), rule_of(rule_id).severity
    first, *others = posts or ("",)
    filing = Filing(by.user_id, person_id, first, rule_id, severity, comment, by_staff=True)

    def write(*entry: WriteAction) -> bool:
        actions = report_actions(filing)
        if actions:
            transact(*actions, *entry)
        return bool(actions)

    def attempt() -> None:
        record_with(
            write, by=by.user_id, action="open case", case=str(case_id), person_id=person_id
        )

    write_optimistically(attempt, moved=CaseMoved)
    for post_id in others:
        file_report(by=by, person_id=person_id, post_id=post_id, rule_id=rule_id, severity=severity)
    return case_id


@access_pattern
def look_up_email(*, by: Viewer, address: str) -> str:
    """Returns the account that confirmed this address, empty if there is none. The log says who looked and whom they
    found, without the address.

    BatchGetItem `email#<hmac>`, 0.5 read units for each key of the settings. A consistent GetItem of the log's head, 1
    read unit, and one TransactWriteItems, 4 write units. In all 4 write units and 1.5 read units.
    """
    user_id = ""
    with suppress(NotFound):
        user_id = find_user_by_email(email_hmacs(address))
    record(by=by.user_id, action="look up email", person_id=user_id)
    return user_id


@access_pattern
def look_up_domain(*, by: Viewer, domain: str) -> Accounts:
    """Returns whose confirmed address is of a domain, once the log says that someone looked.

    As `list_of_domain`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write units.
    """
    return _logged(list_of_domain(domain), by=by, action="look up domain")


@access_pattern
def look_up_network(*, by: Viewer, network: str) -> Accounts:
    """Returns who signed in from a network, once the log says that someone looked.

    As `list_of_network`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write
    units.
    """
    return _logged(list_of_network(network), by=by, action="look up network")


@access_pattern
def view_accounts(*, by: Viewer, person_id: str) -> Accounts:
    """Returns the accounts that share a network or a browser with a person, once the log says that someone looked.

    As `list_other_accounts`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write
    units.
    """
    accounts = list_other_accounts(person_id)
    return _logged(accounts, by=by, action="view accounts", person_id=person_id)


def _logged(accounts: Accounts, *, by: Viewer, action: str, person_id: str = "") -> Accounts:
    detail = {"found": len(accounts.rows)}
    record(by=by.user_id, action=action, person_id=person_id, detail=detail)
    return accounts
