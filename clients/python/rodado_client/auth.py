import base64
import hashlib
import hmac
import threading
import time
import uuid
from collections.abc import Generator
from email.utils import formatdate, parsedate_to_datetime

import httpx

from .problems import ProblemError, RodadoError

#: A token is renewed this many seconds before it expires.
MARGIN = 60


class Signature(httpx.Auth):
    """Signs each request. A client with a wrong clock takes the server's time from its answer."""

    requires_request_body = True
    requires_response_body = True

    def __init__(self, app_key: str, app_secret: str, prefix: str = "SVC"):
        self._app_key, self._secret, self._prefix = app_key, app_secret.encode(), prefix
        self._skew = 0.0

    def sign(self, request: httpx.Request, date: str, nonce: str) -> None:
        prefix = self._prefix.lower()
        own = {f"x-{prefix}-date": date, f"x-{prefix}-nonce": nonce}
        digest = ""
        if request.content:
            digest = "sha-256=" + _base64(hashlib.sha256(request.content).digest())
            request.headers["digest"] = digest
        request.headers.update(own)
        lines = [f"{name}:{own[name]}" for name in sorted(own)]
        text = "\n".join([request.method, digest, "", *lines, request.url.raw_path.decode()])
        signature = _base64(hmac.digest(self._secret, text.encode(), "sha256"))
        request.headers["authorization"] = f"{self._prefix}-HMAC {self._app_key}:{signature}"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers.pop("date", None)
        self.sign(request, formatdate(time.time() + self._skew, usegmt=True), str(uuid.uuid4()))
        response = yield request
        theirs = response.headers.get("date")
        if response.status_code == 401 and theirs and ProblemError(response).codigo == "fecha-fuera-de-rango":
            self._skew = parsedate_to_datetime(theirs).timestamp() - time.time()
            self.sign(request, formatdate(time.time() + self._skew, usegmt=True), str(uuid.uuid4()))
            yield request


class Bearer(httpx.Auth):
    """Requests a token when there is no valid one."""

    requires_response_body = True

    def __init__(self, base_url: str, app_key: str, app_secret: str):
        self._url, self._credentials = f"{base_url}/oauth/token", (app_key, app_secret)
        self._token, self._until = "", 0.0
        self._lock = threading.Lock()

    def _get(self, refused: str = "") -> str:
        with self._lock:
            if self._token == refused or time.monotonic() >= self._until:
                data = {"grant_type": "client_credentials"}
                response = httpx.post(self._url, data=data, auth=self._credentials, timeout=30)
                if not response.is_success:
                    raise ProblemError(response)
                try:
                    body = response.json()
                    self._token, seconds = str(body["access_token"]), float(body["expires_in"])
                except (KeyError, TypeError, ValueError) as cause:
                    raise RodadoError(f"{self._url} answers no token: check the server's address.") from cause
                self._until = time.monotonic() + seconds - MARGIN
            return self._token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        token = self._get()
        request.headers["authorization"] = f"Bearer {token}"
        response = yield request
        if response.status_code == 401 and ProblemError(response).codigo == "token-invalido":
            request.headers["authorization"] = f"Bearer {self._get(refused=token)}"
            yield request


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
