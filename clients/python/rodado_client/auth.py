import base64
import hashlib
import hmac
import threading
import time
import uuid
from collections.abc import Callable
from email.utils import formatdate, parsedate_to_datetime
from typing import Protocol

import httpx

from .problems import ProblemError, RodadoError

#: A token is renewed this many seconds before it expires.
MARGIN = 60


class Identity(Protocol):
    def authenticate(self, request: httpx.Request) -> None: ...

    def correct(self, problem: ProblemError, request: httpx.Request, response: httpx.Response) -> bool:
        """True if a refused credential is worth one more attempt."""
        ...


class Signature:
    """Signs each request. A client with a wrong clock takes the server's time from its answer."""

    def __init__(self, app_key: str, app_secret: str, prefix: str = "SVC"):
        self._app_key, self._secret, self._prefix = app_key, app_secret.encode(), prefix
        self._skew = 0.0

    def authenticate(self, request: httpx.Request) -> None:
        request.headers.pop("date", None)
        self.sign(request, formatdate(time.time() + self._skew, usegmt=True), str(uuid.uuid4()))

    def sign(self, request: httpx.Request, date: str, nonce: str) -> None:
        prefix = self._prefix.lower()
        own = {f"x-{prefix}-date": date, f"x-{prefix}-nonce": nonce}
        digest = ""
        body = request.read()
        if body:
            digest = "sha-256=" + _base64(hashlib.sha256(body).digest())
            request.headers["digest"] = digest
        request.headers.update(own)
        lines = [f"{name}:{own[name]}" for name in sorted(own)]
        text = "\n".join([request.method, digest, "", *lines, request.url.raw_path.decode()])
        signature = _base64(hmac.digest(self._secret, text.encode(), "sha256"))
        request.headers["authorization"] = f"{self._prefix}-HMAC {self._app_key}:{signature}"

    def correct(self, problem: ProblemError, request: httpx.Request, response: httpx.Response) -> bool:
        theirs = response.headers.get("date")
        if problem.codigo != "fecha-fuera-de-rango" or not theirs:
            return False
        self._skew = parsedate_to_datetime(theirs).timestamp() - time.time()
        return True


class Bearer:
    """Requests a token when there is no valid one."""

    def __init__(self, base_url: str, app_key: str, app_secret: str, send: Callable[[httpx.Request], httpx.Response]):
        self._url, self._send = f"{base_url}/oauth/token", send
        self._basic = "Basic " + _base64(f"{app_key}:{app_secret}".encode())
        self._token, self._until = "", 0.0
        self._lock = threading.Lock()

    def authenticate(self, request: httpx.Request) -> None:
        with self._lock:
            if not self._token or time.monotonic() >= self._until:
                self._renew()
            request.headers["authorization"] = f"Bearer {self._token}"

    def correct(self, problem: ProblemError, request: httpx.Request, response: httpx.Response) -> bool:
        with self._lock:
            if request.headers["authorization"] == f"Bearer {self._token}":
                self._token = ""
        return problem.codigo == "token-invalido"

    def _renew(self) -> None:
        data, headers = {"grant_type": "client_credentials"}, {"authorization": self._basic}
        response = self._send(httpx.Request("POST", self._url, data=data, headers=headers))
        if not response.is_success:
            raise ProblemError(response)
        try:
            body = response.json()
            self._token, seconds = str(body["access_token"]), float(body["expires_in"])
        except (KeyError, TypeError, ValueError) as cause:
            raise RodadoError(f"{self._url} answers no token: check the server's address.") from cause
        self._until = time.monotonic() + seconds - MARGIN


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
