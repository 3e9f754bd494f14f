"""An OAuth 2 server built of Authlib. Refresh tokens rotate: each may be used once, and its reuse
revokes all tokens of the same login (RFC 9700, section 4.14.2)."""

import os
import threading
import time

# For http on this machine; Authlib demands https otherwise.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator

METHODS = ["client_secret_post", "client_secret_basic"]


class App(ClientMixin):
    """The only client."""

    def get_client_id(self):
        return "app"

    def get_default_redirect_uri(self):
        return ""

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_redirect_uri(self, uri):
        return False

    def check_client_secret(self, secret):
        return secret == "app-secret"

    def check_endpoint_auth_method(self, method, endpoint):
        return method in METHODS

    def check_response_type(self, kind):
        return False

    def check_grant_type(self, grant):
        return grant in ("password", "refresh_token")


class Login:
    """The login that all of its tokens share."""

    is_over = False

    def get_user_id(self):
        return "ann"


class Token(TokenMixin):
    def __init__(self, reply, login, uses):
        self.login = login
        self.lifetime = reply["expires_in"]
        self.end = time.time() + self.lifetime
        self.uses = uses
        self.was_used = False

    def check_client(self, client):
        return True

    def get_scope(self):
        return ""

    def get_expires_in(self):
        return self.lifetime

    def is_expired(self):
        return time.time() >= self.end

    def is_revoked(self):
        return self.login.is_over


class Tokens:
    """All tokens, and the counters."""

    def __init__(self):
        self.lock = threading.Condition()
        self.by_access, self.by_refresh = {}, {}
        self.asked = self.granted = self.reused = self.refused = 0
        # The number of requests for which an access token is valid; None for no limit.
        self.uses = None
        # The number of refusals before a refresh is answered.
        self.hold = 0

    def save(self, reply, request):
        with self.lock:
            token = Token(reply, request.user, self.uses)
            self.by_access[reply["access_token"]] = token
            self.by_refresh[reply["refresh_token"]] = token

    def take_refresh(self, text):
        """The token of a refresh token, at the first use of that."""
        with self.lock:
            self.asked += 1
            self.lock.wait_for(lambda: self.refused >= self.hold)
            token = self.by_refresh.get(text)
            if token and token.was_used:
                self.reused += 1
                token.login.is_over = True
            if not token or token.was_used or token.login.is_over:
                return None
            token.was_used = True
            self.granted += 1
            return token

    def take_access(self, text):
        with self.lock:
            token = self.by_access.get(text)
            if token and token.uses is not None:
                token.uses -= 1
                if token.uses < 0:
                    token.end = 0
            return token

    def count_refusal(self):
        with self.lock:
            self.refused += 1
            self.lock.notify_all()

    def expire(self, refusals):
        """Revokes all access tokens. The next refresh is answered after `refusals` more refusals."""
        with self.lock:
            self.hold = self.refused + refusals
            for token in self.by_access.values():
                token.end = 0


def serve(app, tokens):
    """Adds an authorization server to a Flask app.

    Returns the function that answers the token endpoint, and the protector of other endpoints."""

    class Password(grants.ResourceOwnerPasswordCredentialsGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = METHODS

        def authenticate_user(self, name, password):
            return Login() if password == "password" else None

    class Refresh(grants.RefreshTokenGrant):
        INCLUDE_NEW_REFRESH_TOKEN = True
        TOKEN_ENDPOINT_AUTH_METHODS = METHODS

        def authenticate_refresh_token(self, text):
            return tokens.take_refresh(text)

        def authenticate_user(self, token):
            return token.login

        def revoke_old_credential(self, token):
            token.end = 0

    class Bearer(BearerTokenValidator):
        def authenticate_token(self, text):
            return tokens.take_access(text)

    app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
    server = AuthorizationServer(app, query_client=lambda name: App(), save_token=tokens.save)
    server.register_grant(Password)
    server.register_grant(Refresh)
    protector = ResourceProtector()
    protector.register_token_validator(Bearer())
    return server.create_token_response, protector
