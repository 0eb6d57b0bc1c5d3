import random
import time
from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

import httpx

from .auth import Bearer, Signature
from .generated.client import Client
from .problems import ConnectionFailed, ProblemError, RodadoError

SAFE = {"GET", "HEAD", "OPTIONS"}
FIRST_WAIT = 0.25


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
        """`prefix` is the server's SIGNATURE_PREFIX; `longest_wait` the longest Retry-After to wait for, in seconds."""
        if not app_key or not app_secret:
            raise RodadoError("app_key and app_secret are needed: they come with the app.")
        if not base_url.startswith(("http://", "https://")):
            raise RodadoError(f'"{base_url}" is not the address of a server: https://api.mercado.example')
        base_url = base_url.rstrip("/")
        super().__init__(base_url=base_url, raise_on_unexpected_status=True)
        identity = Signature(app_key, app_secret, prefix) if auth == "signature" else Bearer(base_url, app_key, app_secret)
        headers = {"accept": "application/json", "user-agent": "rodado-python/0.2.0"}
        self.set_httpx_client(
            _Http(retries, longest_wait, base_url=base_url, auth=identity, headers=headers, timeout=timeout)
        )

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
            kwargs |= {name: int(value) if name == "pagina" else value for name, value in _query(following.href)}

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

    def __init__(self, retries: int, longest_wait: float, **options: Any):
        super().__init__(**options)
        self._retries, self._longest_wait = retries, longest_wait

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        safe = request.method in SAFE
        failures = 0
        while True:
            wait = FIRST_WAIT * 2**failures * (0.5 + random.random())
            try:
                response = super().send(request, **options)
                if response.is_success or response.status_code == 304:
                    return _without_html(response)
                response.read()
                problem = ProblemError(response)
                limited = problem.status == 429 and (safe or problem.is_ours)
                passes = limited or (safe and (problem.status >= 500 or problem.status == 408))
                if problem.retry_after is not None:
                    wait = problem.retry_after
                error: RodadoError = problem
            except httpx.TransportError as cause:
                error, passes = ConnectionFailed(f"{request.method} {request.url}: {cause!r}"), safe
                error.__cause__ = cause
            if failures >= self._retries or not passes or wait > self._longest_wait:
                raise error
            time.sleep(wait)
            failures += 1


def _without_html(response: httpx.Response) -> httpx.Response:
    """A website at a wrong address answers HTML to everything."""
    if "text/html" in response.headers.get("content-type", "") and "html" not in response.request.headers["accept"]:
        raise RodadoError(f"{response.url} answers text/html instead of JSON: check the server's address.")
    return response


def _query(href: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(href).query)
