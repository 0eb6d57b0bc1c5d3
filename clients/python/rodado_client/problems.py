from email.utils import parsedate_to_datetime
from time import time
from typing import Any

import httpx


class RodadoError(Exception):
    """Any error of a call."""


class ConnectionFailed(RodadoError):
    """No complete response: a network error or a timeout. A change may have been done: read it before you repeat it."""


class ProblemError(RodadoError):
    """The server refused."""

    def __init__(self, response: httpx.Response):
        body = _json_of(response)
        self.status: int = response.status_code
        #: The last part of `Type`, or OAuth's own code.
        self.code: str = str(body.get("Type") or body.get("error") or "").rsplit("/", 1)[-1]
        self.title: str = body.get("Title") or response.reason_phrase
        self.detail: str = body.get("Detail") or body.get("error_description") or ""
        #: Messages by field; `_` has those of the whole entry.
        self.errors: dict[str, list[str]] = _dict(body.get("Errors"))
        self.extensions: dict[str, Any] = _dict(body.get("Extensions"))
        #: Stable codes by field, as `errors`.
        self.codes: dict[str, list[str]] = _dict(self.extensions.get("Codigos"))
        #: The stable code of a problem that is not a 400.
        self.codigo: str | None = self.extensions.get("Codigo")
        self.request_id: str | None = response.headers.get("x-request-id")
        self.retry_after: float | None = _seconds(response.headers.get("retry-after"))
        #: True if the response is the server's own, not a proxy's.
        self.is_ours: bool = "/problemas/" in str(body.get("Type"))
        fields = "; ".join(f"{field}: {' '.join(map(str, texts))}" for field, texts in self.errors.items())
        super().__init__(f"{self.status} {fields or self.detail or self.title}")


def _json_of(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return _dict(body)


def _dict(value: Any) -> dict[str, Any]:
    """Of a proxy's own JSON nothing is certain."""
    return value if isinstance(value, dict) else {}


def _seconds(text: str | None) -> float | None:
    """`Retry-After` in seconds; a date in it counts from now."""
    if not text:
        return None
    try:
        return float(text) if text.isdigit() else max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except ValueError:
        return None
