"""The checks of `manage.py check`: one sentence for each setting that cannot work, before anything starts."""

import os
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from socialsite.hosts import is_within
from socialsite.private_files import exposed_paths, strange_names

SHORTEST_SECRET = 32
LONGEST_RETURN = 21  # of the 64 letters that mail servers take (`accounts/mail/signed.py`)
ORIGIN = re.compile(r"https://[a-z0-9.-]+\.[a-z0-9-]+(:[0-9]+)?")
KMS_ARN = re.compile(r"arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/[A-Za-z0-9-]+")
ROLE_ARN = re.compile(r"arn:aws[a-z-]*:iam::[0-9]{12}:role/[\w+=,.@/-]+")
CONTACT_SCHEMES = ("mailto:", "https://", "tel:")


@register
def check_engine(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    problem = settings.DYNAMODB_PROBLEM
    return [Error(problem, id="socialsite.E001")] if problem else []


@register
def check_kms_keys(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    arns = [settings.KMS_KEY_ID, settings.KMS_KEY_OF_STAFF, *settings.KMS_KEY_FALLBACKS]
    wrong = [arn for arn in arns if arn and not KMS_ARN.fullmatch(arn)]
    sentence = (
        "{} is no key of AWS KMS. Set KMS_KEY_ID, KMS_KEY_OF_STAFF and KMS_KEY_FALLBACKS to ARNs of keys, not of "
        "aliases."
    )
    return [Error(sentence.format(arn), id="socialsite.E003") for arn in wrong]


@register
def check_person_role(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    if not settings.PERSON_ROLE or ROLE_ARN.fullmatch(settings.PERSON_ROLE):
        return []
    sentence = f"{settings.PERSON_ROLE} is no role. Set PERSON_ROLE to the ARN of a role of IAM, or unset it."
    return [Error(sentence, id="socialsite.E013")]


@register(Tags.security, deploy=True)
def check_data_key(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    if len(settings.DATA_KEY) >= SHORTEST_SECRET:
        return []
    return [
        Warning(
            "DATA_KEY is too short. Set it to a random text of at least 32 characters.",
            id="socialsite.W001",
        )
    ]


@register(Tags.security, deploy=True)
def check_staff_second_factor(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    if settings.STAFF_SECOND_FACTOR:
        return []
    sentence = "STAFF_SECOND_FACTOR is off, so a stolen password opens the moderation pages. Unset it, or set it to 1."
    return [Warning(sentence, id="socialsite.W004")]


@register(Tags.security, deploy=True)
def check_allowed_hosts(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    sentence = "ALLOWED_HOSTS has *, so the site answers to any name. Set it to the host names of the site."
    return [Warning(sentence, id="socialsite.W005")]


@register(Tags.security, deploy=True)
def check_proxy_hops(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    if os.environ.get("TRUSTED_PROXY_HOPS"):
        return []
    sentence = (
        "TRUSTED_PROXY_HOPS is not set. Set it to the number of proxies in front of the site, or to 0 if browsers "
        "connect to it directly."
    )
    return [Warning(sentence, id="socialsite.W006")]


@register(Tags.security, deploy=True)
def check_mail(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    if settings.MAIL != "folder" and os.environ.get("SITE_URL"):
        return []
    sentence = (
        "The site sends no mail, so nobody can set a new password. Set MAIL and MAIL_FROM (docs/settings.md)."
        if settings.MAIL == "folder"
        else "SITE_URL is not set, so links in letters lead nowhere. Set it to the site's address."
    )
    return [Warning(sentence, id="socialsite.W007")]


@register
def check_mail_return(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    name, at, host = settings.MAIL_RETURN.rpartition("@")
    if not settings.MAIL_RETURN or (at and host and 0 < len(name) <= LONGEST_RETURN):
        return []
    sentence = (
        f"{settings.MAIL_RETURN} cannot take letters back. Set MAIL_RETURN to an address with at most "
        f"{LONGEST_RETURN} letters before the @: a person and a signature are added there."
    )
    return [Error(sentence, id="socialsite.E014")]


@register
def check_media_origin(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    # Behind a CDN of one domain for all, pictures come from the site's own.
    is_own = os.environ.get("MEDIA_DOMAIN") in settings.ALLOWED_HOSTS
    if not settings.MEDIA_BUCKET or os.environ.get("MEDIA_ORIGIN") or is_own:
        return []
    sentence = (
        "MEDIA_BUCKET is set without MEDIA_ORIGIN, so browsers will block its pictures. Set both."
    )
    return [Warning(sentence, id="socialsite.W002")]


@register
def check_security_contact(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    strange = [one for one in settings.SECURITY_CONTACT if not one.startswith(CONTACT_SCHEMES)]
    sentence = "SECURITY_CONTACT has {}. Set it to addresses such as mailto:security@example.org or https://example.org/."
    return [Error(sentence.format(one), id="socialsite.E010") for one in strange]


@register
def check_data_folder(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    folder = settings.DATA_DIR
    if not folder.exists() or os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return []
    sentence = f"The site cannot read and write {folder}. Give this user access, or set DATA_DIR to another folder."
    return [Error(sentence, id="socialsite.E002")]


@register
def check_data_folder_is_private(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    folder = settings.DATA_DIR
    exposed = exposed_paths(folder)
    if not exposed:
        return []
    strange = strange_names(folder)
    if exposed == [folder] and strange:
        sentence = (
            f"Other accounts can look into the data folder {folder}, which also holds {strange[0]}. "
            f"Move everything that is not the site's elsewhere, or run `chmod 700 {folder}`."
        )
    else:
        sentence = (
            f"Other accounts can open {exposed[0]}, and this user cannot change that. "
            f"As its owner, run `chmod -R go= {folder}`."
        )
    return [Warning(sentence, id="socialsite.W003")]


@register
def check_passkeys(app_configs: Any, **_: Any) -> Sequence[CheckMessage]:
    domain = settings.PASSKEY_DOMAIN
    if not domain:
        if settings.DEBUG or not settings.STAFF_PASSKEY:
            return []
        sentence = "STAFF_PASSKEY is set without PASSKEY_DOMAIN, so nobody could open staff pages. Set both."
        return [Error(sentence, id="socialsite.E011")]
    sentence = "PASSKEY_ORIGINS has {}, which is not of {}. Set it to origins such as https://{}."
    related = (
        "PASSKEY_RELATED has {}. Set it to origins such as https://example.org, without a path."
    )
    return [
        *(
            Error(sentence.format(origin, domain, domain), id="socialsite.E012")
            for origin in settings.PASSKEY_ORIGINS
            if not is_within(urlsplit(origin).hostname or "", domain)
        ),
        *(
            Error(related.format(origin), id="socialsite.E015")
            for origin in settings.PASSKEY_RELATED
            if not ORIGIN.fullmatch(origin)
        ),
    ]
