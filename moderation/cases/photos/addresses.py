"""The addresses of the copies of reported photos: each made for one moderator, after the log has noted that they look.

    /moderation/cases/person/<person>/photo/file?n=<name>&e=<hour>&s=<signature>

Nobody else can use it, and it is dead within two hours, or as soon as the moderator has lost their role.
"""

from moderation.cases.cases import CaseId
from photos.addresses import is_signed, signed_for


def copy_url(case_id: CaseId, name: str, *, viewer_id: str) -> str:
    signed = signed_for(viewer_id, _whole(case_id, name))
    return f"{case_id.url}/photo/file?n={name}&{signed}"


def may_open(case_id: CaseId, name: str, *, hour: str, signature: str, viewer_id: str) -> bool:
    """Whether the site made the address of this copy for this viewer, in this hour or the one before."""
    whole = _whole(case_id, name)
    return is_signed(whole, hour=hour, signature=signature, viewer_id=viewer_id)


def _whole(case_id: CaseId, name: str) -> str:
    return f"{case_id.url}/{name}"
