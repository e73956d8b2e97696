"""Settings of the website. Everything that differs between machines comes from the environment (docs/settings.md)."""

import os
from pathlib import Path

from csp.constants import NONE, SELF

from socialsite.environment import (
    addresses,
    dynamodb_engine,
    dynamodb_region,
    dynamodb_transport,
    flag,
    mail_backend,
    number,
    price,
    seconds,
    secret,
    share,
    words,
)
from socialsite.observing.logs import logging_setup
from socialsite.prices import prices_of
from socialsite.private_files import make_private
from socialsite.storages import storages
from socialsite.web.static_files import add_policy

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR", BASE_DIR / "var"))
make_private(DATA_DIR)  # here, as every entry point reads the settings

# DynamoDB

DYNAMODB_ENGINE, DYNAMODB_PROBLEM = dynamodb_engine(os.environ)
DYNAMODB_ENDPOINT = os.environ.get("DYNAMODB_ENDPOINT") if DYNAMODB_ENGINE == "endpoint" else None
DYNAMODB_TRANSPORT = dynamodb_transport(os.environ)
DYNAMODB_TABLE = os.environ.get("DYNAMODB_TABLE", "socialsite")
DYNAMODB_REGION = dynamodb_region(os.environ)
WRITING_REGION = os.environ.get("WRITING_REGION", "")  # of a global table: all others only read
PERSON_ROLE = os.environ.get("PERSON_ROLE", "")  # an ARN; exports read as the person they are of
# The longest time for a try. Workers, commands and `runserver` try a call twice, web processes once.
DYNAMODB_SECONDS = seconds("DYNAMODB_SECONDS", default=1.8)
DYNAMODB_WEB_SECONDS = seconds("DYNAMODB_WEB_SECONDS", default=0.9)
PAGE_SECONDS = 2.0  # seconds in which a page repeats throttled calls

# Security

DEBUG = flag("DEBUG", default=DYNAMODB_ENGINE == "embedded")
SECRET_KEY = secret("SECRET_KEY", data_dir=DATA_DIR, may_make=DEBUG)
SECRET_KEY_FALLBACKS = words("SECRET_KEY_FALLBACKS")
DATA_KEY = secret("DATA_KEY", data_dir=DATA_DIR, may_make=DEBUG)
DATA_KEY_FALLBACKS = words("DATA_KEY_FALLBACKS")
KMS_KEY_ID = os.environ.get("KMS_KEY_ID", "")  # an ARN in AWS KMS; wraps people's data keys
KMS_KEY_OF_STAFF = os.environ.get("KMS_KEY_OF_STAFF", "")  # another, for people with a role
KMS_KEY_FALLBACKS = words("KMS_KEY_FALLBACKS")
ALLOWED_HOSTS = words("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")
STAFF_SECOND_FACTOR = flag("STAFF_SECOND_FACTOR", default=not DEBUG)
STAFF_PASSKEY = flag("STAFF_PASSKEY", default=False)
CONFIRMED_EMAIL = flag("CONFIRMED_EMAIL", default=False)
STAFF_PROOF_MINUTES = 30  # minutes that a proof of identity lasts for staff
# The domain that passkeys are made for, and the origins that may ask for them. Another domain ends all passkeys.
PASSKEY_DOMAIN = os.environ.get("PASSKEY_DOMAIN", "")
PASSKEY_ORIGINS = words("PASSKEY_ORIGINS") or [f"https://{PASSKEY_DOMAIN}"]
# Other domains of this site whose pages may ask for these passkeys too, as after a change of domain.
PASSKEY_RELATED = words("PASSKEY_RELATED")
CSRF_FAILURE_VIEW = "socialsite.web.errors.csrf_failure"
TRUSTED_PROXY_HOPS = number("TRUSTED_PROXY_HOPS", default=0)
if TRUSTED_PROXY_HOPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SECURE_SSL_REDIRECT = not DEBUG
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]
SECURE_HSTS_SECONDS = number("HSTS_SECONDS", default=0 if DEBUG else 63_072_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = flag("HSTS_PRELOAD", default=False)
# Both make a promise for the whole domain, so only its owner can decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = PREFERENCES_COOKIE_SECURE = not DEBUG
DEVICE_COOKIE_SECURE = ORIGIN_COOKIE_SECURE = not DEBUG
OF_THIS_HOST = "" if DEBUG else "__Host-"
CSRF_COOKIE_NAME, SESSION_COOKIE_NAME = f"{OF_THIS_HOST}csrf", f"{OF_THIS_HOST}session"
DEVICE_COOKIE_NAME, ORIGIN_COOKIE_NAME = f"{OF_THIS_HOST}device", f"{OF_THIS_HOST}origin"
PREFERENCES_COOKIE_NAME = f"{OF_THIS_HOST}preferences"
CSRF_COOKIE_HTTPONLY = True
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_COOKIE_AGE = 14 * 86_400
MESSAGE_STORAGE = "socialsite.web.fragments.ToastCookie"
TOAST_COOKIE_NAME = "messages" if DEBUG else "__Host-messages"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:", *words("MEDIA_ORIGIN")],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "object-src": [NONE],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

PASSWORD_HASHERS = ["accounts.credentials.passwords.Argon2Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "accounts.credentials.passwords.CommonPasswordValidator"},
]

SECURITY_CONTACT, METRICS_TOKEN = words("SECURITY_CONTACT"), os.environ.get("METRICS_TOKEN", "")
LOG_READS = number("LOG_READS", default=1) or 1  # one line for so many reads that went well

# Bounds of requests, before anything is parsed
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
# A wave of 500 cases, each with a checkbox. A story of 10 posts: up to 40 fields of the first, 14 of each other (text,
# warning, and twice four photos with descriptions, where a form has both those uploaded before and new ones).
DATA_UPLOAD_MAX_NUMBER_FIELDS = 520
DATA_UPLOAD_MAX_NUMBER_FILES = 48  # a form says itself that it takes fewer
# Which view takes how much stands beside it (`socialsite/web/bodies.py`).
FILE_UPLOAD_HANDLERS = ["socialsite.web.bodies.UnnamedFileUploadHandler"]

# The product
TIMELINE_DAYS = number("TIMELINE_DAYS", default=30)
TAG_DAYS = number("TAG_DAYS", default=90)
BACKFILL_POSTS = 40
SIGN_IN_DAYS = 90
ABSENT_AFTER_DAYS = 30  # days away after which nothing is fanned out to people
FAN_OUT_INLINE = 500  # followers; more are fanned out by a job
FAN_OUT_STEP = 1000  # followers in one step of a job
FAN_OUT_AT_ONCE = number("FAN_OUT_AT_ONCE", default=4) or 1  # calls that it keeps under way
PULL_ABOVE = number("PULL_ABOVE", default=5000)  # followers; posts are merged in at reading
SPREAD_LIKES_ABOVE = number("SPREAD_LIKES_ABOVE", default=100) or 1  # a second, in one partition
STAFF_NAV_SECONDS = 10  # how old a process's count of waiting cases may be
# News for open pages (`manage.py run_live`)
LIVE_ADDRESS = addresses("LIVE_ADDRESS")  # where datagrams go; empty: a socket in DATA_DIR
LIVE_BIND = os.environ.get("LIVE_BIND", "127.0.0.1:8003")
LIVE_MOST = number("LIVE_MOST", default=4000) or 1  # open connections
LIVE_PER_PERSON = number("LIVE_PER_PERSON", default=8) or 1
LIVE_PER_ADDRESS = number("LIVE_PER_ADDRESS", default=200) or 1
LIVE_STREAMS = number("LIVE_STREAMS", default=1000) or 1  # of apps, beside LIVE_MOST
LIVE_SITE = os.environ.get("LIVE_SITE", "http://127.0.0.1:8002")  # where those ask the site
LIVE_POLL = number("LIVE_POLL", default=0)  # seconds; 0: the stream worker tells
SITE_RULES_SECONDS = number("SITE_RULES_SECONDS", default=10)  # how old a process's copy may be

# What Amazon asks in this region, and what a million units and a GB a month cost here (lens/, costs/)
PRICES = prices_of(DYNAMODB_REGION)
READ_PRICE = price("READ_PRICE", default=PRICES.single("read_price"))
WRITE_PRICE = price("WRITE_PRICE", default=PRICES.single("write_price"))
STORAGE_PRICE = price("STORAGE_PRICE", default=PRICES.single("storage_price"))
COST_SAMPLE = share("COST_SAMPLE", default=1.0 if DEBUG else 0.05)  # of requests, measured
COST_SECONDS = number("COST_SECONDS", default=5 if DEBUG else 300) or 1  # between two writes

# Mail

SITE_URL = os.environ.get("SITE_URL", "http://localhost:8000").rstrip("/")  # of links in letters
MAIL, EMAIL_BACKEND = mail_backend(os.environ)
MAIL_A_DAY = number("MAIL_A_DAY", default=10_000)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("MAIL_FROM", "socialsite <no-reply@localhost>")
MAIL_RETURN = os.environ.get("MAIL_RETURN", "")  # where letters come back to, over a mail server
MAIL_EVENTS_QUEUE = os.environ.get("MAIL_EVENTS_QUEUE", "")  # of SQS, with what SES says of letters
EMAIL_HOST, EMAIL_PORT = os.environ.get("EMAIL_HOST", ""), number("EMAIL_PORT", default=587)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_SSL = EMAIL_PORT == 465  # implicit TLS, as the number says
EMAIL_USE_TLS = not EMAIL_USE_SSL and flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10  # seconds, of the minute that a claim lasts
ANYMAIL = {"AMAZON_SES_CLIENT_PARAMS": {"region_name": DYNAMODB_REGION}}

# Alarms (operations/alarms/)

METRICS_BIND = os.environ.get("METRICS_BIND", "")  # of a process without pages
ALARM_SECONDS = number("ALARM_SECONDS", default=60)  # between two looks of the clock, 0 for none
ALARM_LETTER_MINUTES = number("ALARM_LETTER_MINUTES", default=15)  # between two letters
ALARMS_TO = words("ALARMS_TO")  # addresses of operators, beside the staff
ALARM_SIGN_UPS = number("ALARM_SIGN_UPS", default=100)  # in an hour
BUDGET_A_DAY = price("BUDGET_A_DAY", default=0)  # dollars, 0 for none

# Push

PUSH_HOSTS = words("PUSH_HOSTS")  # of push services, beside the known ones
PUSH_TEST_ORIGINS: list[str] = []  # without TLS, of tests and benchmarks alone

# The website

DATABASES: dict[str, dict[str, str]] = {}
ROOMS = [  # each may import those before it
    "socialsite",
    "accounts",
    "relations",
    "photos",
    "feed",
    "tags",
    "notifications",
    "chats",
    "moderation",
    "finding",
    "api",
    "site_votes",
    "privacy",
    "costs",
    "lens",
    "operations",
]
INSTALLED_APPS = [
    *ROOMS,
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
]
MIDDLEWARE = [
    "socialsite.web.observation.give_request_id",
    "socialsite.web.observation.observe_requests",
    "socialsite.web.middleware.measure_calls",
    "socialsite.web.middleware.bound_retries",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "socialsite.web.middleware.set_cache_headers",
    "django.middleware.security.SecurityMiddleware",
    "socialsite.web.bodies.refuse_large_bodies",
    "socialsite.web.pages.answer_probes",
    "socialsite.web.middleware.refuse_strange_encodings",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "socialsite.web.compression.CompressionMiddleware",
    "lens.access.look_through_lens",
    *([] if DYNAMODB_ENGINE == "amazon" else ["socialsite.streams.jobs.note_request"]),
    "django.contrib.sessions.middleware.SessionMiddleware",
    "socialsite.web.preferences.follow_preferences",
    "django.middleware.common.CommonMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "socialsite.web.middleware.show_table_errors",
    "socialsite.web.middleware.send_toasts",
    "django.middleware.csrf.CsrfViewMiddleware",
    "socialsite.web.read_only.close_while_read_only",
    "accounts.middleware.ViewerMiddleware",
]
ROOT_URLCONF = "socialsite.urls"
WSGI_APPLICATION = "socialsite.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": ["socialsite.web.compression.Loader"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.messages.context_processors.messages",
                "socialsite.web.preferences.in_templates",
                "socialsite.web.observation.in_templates",
                "socialsite.site_settings.site_rules.in_templates",
                "socialsite.web.read_only.in_templates",
            ],
            "libraries": {name: f"socialsite.web.templatetags.{name}" for name in ("site", "kept")},
        },
    }
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"

STATIC_URL, MEDIA_URL = "static/", "media/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_ADD_HEADERS_FUNCTION, WHITENOISE_ALLOW_ALL_ORIGINS = add_policy, False
MEDIA_ROOT = DATA_DIR / "media"
EXPORT_BUCKET = os.environ.get("EXPORT_BUCKET", "")
ARCHIVE_BUCKET = os.environ.get("ARCHIVE_BUCKET", "")
ARCHIVE_EXPIRED_POSTS = flag("ARCHIVE_EXPIRED_POSTS", default=False)
MEDIA_BUCKET, PHOTO_BUCKET = os.environ.get("MEDIA_BUCKET", ""), os.environ.get("PHOTO_BUCKET", "")
# Of the bucket for backups alone (`manage.py backup s3://…`)
BACKUP_ENDPOINT = os.environ.get("BACKUP_ENDPOINT", "")
BACKUP_REGION = os.environ.get("BACKUP_REGION", "") or DYNAMODB_REGION
BACKUP_KEY_ID = os.environ.get("BACKUP_KEY_ID", "")
BACKUP_SECRET = os.environ.get("BACKUP_SECRET", "")
STORAGES = storages(
    data_dir=DATA_DIR,
    media_bucket=MEDIA_BUCKET,
    archive_bucket=ARCHIVE_BUCKET,
    export_bucket=EXPORT_BUCKET,
    photo_bucket=PHOTO_BUCKET,
    region=DYNAMODB_REGION,
    debug=DEBUG,
)
LOGGING = logging_setup(debug=DEBUG)
