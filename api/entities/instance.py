"""This site, as an instance, in the older and the newer form."""

from typing import Any

from django.templatetags.static import static
from django.utils.translation import gettext as _

from feed.posts.models import MOST_OPTIONS
from feed.publishing.forms import OPTION_LIMIT, POST_LIMIT
from notifications.push.apps import site_public_key
from photos.forms import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from socialsite.site_settings.site_rules import site_rules
from socialsite.site_settings.site_setup import SignUp

# What clients read as the version of Mastodon whose API this is: what 4.4 and later ask for is not here.
VERSION = "4.3.0 (compatible; socialsite 1.0)"
API_VERSION = 2
NAME = "socialsite"


def configuration() -> dict[str, Any]:
    return {
        "urls": {"about": "/about", "privacy_policy": None, "terms_of_service": None},
        "vapid": {"public_key": site_public_key()},
        "accounts": {"max_featured_tags": 0, "max_pinned_statuses": 3},
        "statuses": {
            "max_characters": POST_LIMIT,
            "max_media_attachments": MOST_PHOTOS,
            "characters_reserved_per_url": 0,
        },
        "media_attachments": {
            "supported_mime_types": ["image/jpeg", "image/png", "image/webp", "image/gif"],
            "image_size_limit": MOST_BYTES,
            "image_matrix_limit": 16_777_216,
            "video_size_limit": 0,
            "video_frame_rate_limit": 0,
            "video_matrix_limit": 0,
        },
        "polls": {
            "max_options": MOST_OPTIONS,
            "max_characters_per_option": OPTION_LIMIT,
            "min_expiration": 3600,
            "max_expiration": 604_800,
        },
        "translation": {"enabled": False},
    }


def rules() -> list[dict[str, str]]:
    return [
        {"id": rule.rule_id, "text": rule.title, "hint": rule.text} for rule in site_rules().rules
    ]


def _about() -> str:
    return _("A small, calm place to talk")


def _registrations() -> tuple[bool, bool]:
    """Whether people can sign up now, and whether a moderator looks first."""
    now = site_rules().sign_up_now
    return now in (SignUp.OPEN, SignUp.APPROVAL), now == SignUp.APPROVAL


def instance_of(host: str, here: str) -> dict[str, Any]:
    """Returns the newer form (v2)."""
    is_open, is_approved = _registrations()
    return {
        "domain": host,
        "title": NAME,
        "version": VERSION,
        "api_versions": {"mastodon": API_VERSION},
        "source_url": "",
        "description": _about(),
        "usage": {"users": {"active_month": 0}},
        "thumbnail": {"url": f"{here}{static('icons/icon-512.png')}"},
        "icon": [],
        "languages": ["en"],
        "configuration": configuration(),
        "registrations": {
            "enabled": is_open,
            "approval_required": is_approved,
            "message": None,
            "url": f"{here}/signup",
        },
        "contact": {"email": "", "account": None},
        "rules": rules(),
    }


def older_instance_of(host: str, here: str) -> dict[str, Any]:
    """Returns the older form (v1)."""
    is_open, is_approved = _registrations()
    return {
        "uri": host,
        "title": NAME,
        "short_description": _about(),
        "description": _about(),
        "email": "",
        "version": VERSION,
        "urls": {},
        "stats": {"user_count": 0, "status_count": 0, "domain_count": 0},
        "thumbnail": f"{here}{static('icons/icon-512.png')}",
        "languages": ["en"],
        "registrations": is_open,
        "approval_required": is_approved,
        "invites_enabled": False,
        "configuration": configuration(),
        "contact_account": None,
        "rules": rules(),
    }
