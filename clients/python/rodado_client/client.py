import random
import time
from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit
from urllib.request import getproxies

import httpx

from .auth import Bearer, Identity, Signature
from .deadline import Deadline, Transport
from .generated.client import Client
from .problems import ConnectionFailed, ProblemError, RodadoError

SAFE = {"GET", "HEAD", "OPTIONS"}
FIRST_WAIT = 0.25
#: More than any response of the API, and less than a process can spare.
MAX_RESPONSE_MB = 32
#: What a `next` link says about the next page. Its filters have other names as arguments (`admin_mail`) and stay as given.
POSITION = {"pagina", "cursor"}
#: Headers that are not true of a decoded body.
DECODED = {"content-encoding", "content-length", "transfer-encoding"}


class Rodado(Client):
    """A client for a partner's app. Give it to the functions of `rodado_client.generated.api`."""

    def __init__(
        self,
        base_url: str,
        app_key: str,
        app_secret: str,
        *,
        auth: Literal["signature", "bearer"] = "signature",
        prefix: str = "SVC",
        retries: int = 3,
        timeout: float = 30.0,
        longest_wait: float = 60.0,
    ):
        """`prefix` is the server's SIGNATURE_PREFIX; `longest_wait` the longest Retry-After to wait for, in seconds.

        `timeout` bounds each attempt, from connecting to the last byte."""
        if not app_key or not app_secret:
            raise RodadoError("app_key and app_secret are needed: they come with the app.")
        if not base_url.startswith(("http://", "https://")):
            raise RodadoError(f'"{base_url}" is not the address of a server: https://api.mercado.example')
        base_url = base_url.rstrip("/")
        super().__init__(base_url=base_url, raise_on_unexpected_status=True)
        headers = {"accept": "application/json", "user-agent": "rodado-python/0.2.0"}
        # A transport of our own would ignore the proxy of the environment.
        mounts = {} if getproxies() else {"all://": Transport()}
        http = _Http(retries, longest_wait, timeout, base_url=base_url, headers=headers, timeout=timeout, mounts=mounts)
        if auth == "signature":
            http.identity = Signature(app_key, app_secret, prefix)
        else:
            http.identity = Bearer(base_url, app_key, app_secret, http.exchange)
        self.set_httpx_client(http)

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """Any path of the API, such as a link of an answer. `body` is JSON, or text or bytes to send as they are."""
        if not path.startswith("/"):
            raise RodadoError(f'"{path}" is not a path of the API: those begin with /.')
        content = {"content" if isinstance(body, str | bytes) else "json": body} if body is not None else {}
        return self.get_httpx_client().request(method, path, headers=headers, **content)

    def entries(self, operation: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """The entries of a list over all its pages: `rodado.entries(listar_consultas, admin_mail)`."""
        while True:
            page = operation.sync(*args, client=self, **kwargs)
            yield from page.field_entries
            following = page.field_links.additional_properties.get("next")
            if following is None or not page.field_entries:
                return
            position = [each for each in _query(following.href) if each[0] in POSITION]
            kwargs |= {name: int(value) if name == "pagina" else value for name, value in position}

    def follow(
        self, cursor: str | None = None, *, every: float = 2.0, once: bool = False
    ) -> Iterator[tuple[list[dict[str, Any]], str]]:
        """Follows the feed: events and the cursor to store once they are processed. It waits for an unavailable server."""
        while True:
            try:
                params = {} if cursor is None else {"cursor": cursor}
                page = self.get_httpx_client().get("/v3/eventos", params=params).json()
            except (ConnectionFailed, ProblemError) as error:
                if once or (isinstance(error, ProblemError) and error.status < 500 and error.status != 429):
                    raise
                time.sleep(every)
                continue
            cursor = dict(_query(page["_links"]["next"]["href"]))["cursor"]
            if page["_entries"]:
                yield page["_entries"], cursor
            elif once:
                return
            else:
                time.sleep(every)


class _Http(httpx.Client):
    """
    Retries what may be retried, each time with a new signature: a safe call after any temporary error, any other only
    after the server's own 429, which comes before any work.
    """

    identity: Identity

    def __init__(self, retries: int, longest_wait: float, seconds: float, **options: Any):
        super().__init__(**options)
        self._retries, self._longest_wait, self._seconds = retries, longest_wait, seconds

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        safe = request.method in SAFE
        corrected, failures = False, 0
        while True:
            wait = FIRST_WAIT * 2**failures * (0.5 + random.random())
            try:
                self.identity.authenticate(request)
                response = self.exchange(request)
                if response.is_success or response.status_code == 304:
                    return _without_html(response)
                problem = ProblemError(response)
                if problem.status == 401 and not corrected and self.identity.correct(problem, request, response):
                    corrected = True
                    continue
                raise problem
            except ProblemError as refusal:  # of the call, or of the request for its token
                limited = refusal.status == 429 and (safe or refusal.is_ours)
                passes = limited or (safe and (refusal.status >= 500 or refusal.status == 408))
                if refusal.retry_after is not None:
                    wait = refusal.retry_after
                error: RodadoError = refusal
            except ConnectionFailed as failure:
                error, passes = failure, safe
            if failures >= self._retries or not passes or wait > self._longest_wait:
                raise error
            time.sleep(wait)
            failures += 1

    def exchange(self, request: httpx.Request) -> httpx.Response:
        """One attempt with the whole response, within the deadline. One that does not end must not fill the memory."""
        content = bytearray()
        with Deadline(self._seconds) as deadline:
            try:
                response = super().send(request, stream=True, auth=None, follow_redirects=False)
                try:
                    for chunk in response.iter_bytes():
                        content += chunk
                        if len(content) > MAX_RESPONSE_MB * 1_048_576:
                            larger = f"{request.url} answers more than {MAX_RESPONSE_MB} MB"
                            raise RodadoError(f"{larger}: check the server's address, or narrow the list.")
                        if deadline.has_passed():
                            raise httpx.ReadTimeout("the deadline has passed")
                finally:
                    response.close()
            except (httpx.TransportError, httpx.DecodingError) as cause:
                is_late = isinstance(cause, httpx.TimeoutException)
                why = f"no answer within {self._seconds} s" if is_late else repr(cause)
                raise ConnectionFailed(f"{request.method} {request.url}: {why}") from cause
        headers = [each for each in response.headers.multi_items() if each[0] not in DECODED]
        return httpx.Response(response.status_code, headers=headers, content=bytes(content), request=request)


def _without_html(response: httpx.Response) -> httpx.Response:
    """A website at a wrong address answers HTML to everything."""
    if "text/html" in response.headers.get("content-type", "") and "html" not in response.request.headers["accept"]:
        raise RodadoError(f"{response.url} answers text/html instead of JSON: check the server's address.")
    return response


def _query(href: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(href).query)
