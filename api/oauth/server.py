"""The authorization server: Authlib's, with the items of this site and Django's requests and answers.

A client is an app (`App`). It shows its secret, or, where it can keep none, the answer to the challenge that came with
the request of its code (PKCE), which everyone may use and of which only `S256` is taken.
"""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from authlib.consts import default_json_headers
from authlib.oauth2.rfc6749 import (
    AuthorizationCodeMixin,
    AuthorizationServer,
    ClientMixin,
    InvalidClientError,
    InvalidGrantError,
    InvalidRequestError,
    OAuth2Request,
    TokenMixin,
    grants,
)
from authlib.oauth2.rfc6749.requests import OAuth2Payload
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.utils.crypto import salted_hmac

from accounts.access.reads import AppCard, Secret, find_app
from accounts.access.scopes import SCOPES, allows, scopes_in
from accounts.access.writes import CodeGone, allow_app, begin_access, end_access, find_code
from accounts.grants.models import AppCode
from accounts.people.viewer import Viewer
from accounts.requests import SiteRequest
from accounts.sessions import hash_secret
from api.access import Sent, sent_by
from socialsite.clock import utc_now

SHOWN_HERE = (
    "urn:ietf:wg:oauth:2.0:oob"  # in place of an address: the code is shown, and copied by hand
)
AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
OF_APP = (
    "app"  # begins the token of an app without a person, which holds nothing and is stored nowhere
)
PREFIX = f"{OF_APP}."
LONGEST_STATE = 1000


class Client(ClientMixin):
    """An app, as Authlib asks about it."""

    def __init__(self, app: AppCard) -> None:
        self.app = app

    def get_client_id(self) -> str:
        return self.app.client_id

    def get_default_redirect_uri(self) -> str:
        return self.app.redirects[0] if len(self.app.redirects) == 1 else ""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Returns what is asked for, None if the app did not say at its registration that it would."""
        wanted = scopes_in(scope or "")
        is_allowed = all(allows(self.app.scopes, one) for one in wanted)
        return " ".join(wanted) if is_allowed else None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri in self.app.redirects

    def check_client_secret(self, client_secret: str) -> bool:
        return hmac.compare_digest(self.app.secret_hash, hash_secret(client_secret))

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method in AUTH_METHODS

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in ("authorization_code", "client_credentials")


class Code(AuthorizationCodeMixin):
    """What someone allowed, as Authlib asks about it."""

    def __init__(self, item: AppCode) -> None:
        self.item = item
        self.code_challenge = item.challenge or ""
        self.code_challenge_method = "S256"

    def get_redirect_uri(self) -> str:
        return self.item.redirect

    def get_scope(self) -> str:
        return self.item.scopes


class ByCode(grants.AuthorizationCodeGrant):
    """A person allows an app by a code, which the app brings for its token."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS

    def save_authorization_code(self, code: str, request: OAuth2Request) -> None:
        allow_app(
            by=request.user,
            app=request.client.app,
            code=code,
            redirect=request.payload.redirect_uri or request.client.get_default_redirect_uri(),
            scopes=request.scope,
            challenge=request.payload.data.get("code_challenge") or "",
        )

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        found = find_code(code)
        return Code(found) if found and found.client_id == client.app.client_id else None

    def authenticate_user(self, authorization_code: Code) -> str:
        return authorization_code.item.user_id

    def delete_authorization_code(self, authorization_code: Code) -> None:
        """It was used up with the writing of the token, in one transaction, so that it counts once."""


class ByApp(grants.ClientCredentialsGrant):
    """An app without a person, which may do what visitors may."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS[:2]


class Challenge(CodeChallenge):
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]


class Held(TokenMixin):
    """A token that is to be revoked. Whose app it is, is asked by the deletion itself."""

    def __init__(self, secret: Secret) -> None:
        self.secret = secret

    def check_client(self, client: Client) -> bool:
        return True


class Revocation(RevocationEndpoint):
    """Signs out: an app gives its token back."""

    CLIENT_AUTH_METHODS = AUTH_METHODS

    def create_endpoint_response(self, request: OAuth2Request) -> tuple[int, Any, Any]:
        """As Authlib. An app that names none that is registered ends the token all the same: Phanpy, which is among
        them, tells its person that they are signed out, and with the token one can do far more than end it."""
        try:
            return super().create_endpoint_response(request)
        except InvalidClientError:
            token = self.query_token(request.form.get("token", ""), None)
            if token is None or self.server.query_client(request.form.get("client_id", "")):
                raise
            end_access(user_id=token.secret.user_id, secret_hash=token.secret.secret_hash)
            return 200, {}, default_json_headers

    def query_token(self, token_string: str, token_type_hint: str | None) -> Held | None:
        secret = Secret.of(token_string)
        return Held(secret) if secret else None

    def revoke_token(self, token: Held, request: OAuth2Request) -> None:
        user_id, secret_hash = token.secret
        client_id = request.client.get_client_id()
        end_access(user_id=user_id, secret_hash=secret_hash, client_id=client_id)


class Given(OAuth2Payload):
    def __init__(self, sent: Sent) -> None:
        self._data, self._lists = sent.first(), dict(sent.values)

    @property
    def data(self) -> dict[str, str]:
        return self._data

    @property
    def datalist(self) -> dict[str, Any]:
        return self._lists


class Asked(OAuth2Request):
    """Django's request as Authlib reads it. A browser brings its parameters in the address, an app in the body, as a
    form or as JSON."""

    def __init__(self, request: SiteRequest) -> None:
        # Whether TLS is asked for is decided for the whole site (`SECURE_SSL_REDIRECT`), not by this address.
        address = f"https://{request.get_host()}{request.get_full_path()}"
        super().__init__(request.method or "", address, headers=request.headers)
        self.payload = Given(sent_by(request))

    @property
    def args(self) -> Mapping[str, str]:
        return self.payload.data

    @property
    def form(self) -> Mapping[str, str]:
        return self.payload.data


class Server(AuthorizationServer):
    def query_client(self, client_id: str) -> Client | None:
        app = find_app(client_id[:100])
        return Client(app) if app else None

    def save_token(self, token: dict[str, Any], request: OAuth2Request) -> None:
        """Writes what makes a token work. That of an app alone needs nothing."""
        if request.authorization_code is None:
            return
        secret = token["access_token"].partition(".")[2]
        try:
            begin_access(request.authorization_code.item, token_secret=secret)
        except CodeGone as error:
            raise InvalidGrantError("Invalid 'code' in request.") from error

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Nobody listens."""

    def create_oauth2_request(self, request: SiteRequest) -> Asked:
        return Asked(request)

    def handle_response(
        self, status: int, body: Any, headers: Iterable[tuple[str, str]]
    ) -> HttpResponse:
        made = JsonResponse if isinstance(body, dict) else HttpResponse
        response: HttpResponse = made(body, status=status)
        for name, value in headers:
            response[name] = value
        return response


def make_token(
    *, grant_type: str, client: Client, user: str | None = None, scope: str = "", **_: object
) -> dict[str, Any]:
    """Returns a new token. It says in its name whom it acts for, so that their page needs no reading more to know."""
    if user is None:
        scope = client.get_allowed_scope(scope) or ""
        token = token_of_app(client.app)
    else:
        token = f"{user}.{secrets.token_urlsafe(32)}"
    now = {"access_token": token, "token_type": "Bearer", "scope": scope}
    return now | {"created_at": int(utc_now().timestamp())}


def token_of_app(app: AppCard, key: str | None = None) -> str:
    """Returns the token of an app without a person: its id, sealed for as long as its secret is the same."""
    sealed = f"{app.client_id} {app.secret_hash}"
    seal = salted_hmac("token of app", sealed, key, algorithm="sha256")
    return f"{PREFIX}{app.client_id}.{seal.hexdigest()}"


def app_of_token(token: str) -> AppCard | None:
    """Returns the app whose token this is. As `find_app`; nothing for other tokens."""
    if not token.startswith(PREFIX):
        return None
    client_id, _, _seal = token.removeprefix(PREFIX).rpartition(".")
    app = find_app(client_id[:100])
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    is_real = app is not None and any(_is_same(token_of_app(app, key), token) for key in keys)
    return app if is_real else None


def _is_same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def ask(request: SiteRequest, viewer: Viewer) -> tuple[Asked, Any]:
    """Returns what an app asks of a person, checked. Raises Authlib's `OAuth2Error`."""
    asked = Asked(request)
    # What comes back in an address must fit into it, before a code is made.
    if len(asked.payload.state or "") > LONGEST_STATE:
        raise InvalidRequestError("'state' is too long.")
    asked.user = viewer
    grant = server.get_authorization_grant(asked)
    grant.validate_no_multiple_request_parameter(asked)
    grant.validate_consent_request()
    return asked, grant


server = Server(scopes_supported=SCOPES)
server.register_grant(ByCode, [Challenge(required=True)])
server.register_grant(ByApp)
server.register_endpoint(Revocation)
server.register_token_generator("default", make_token)
