import threading
import time
from collections.abc import Iterable
from typing import Any

import httpcore
import httpx

_attempt = threading.local()


class Deadline:
    """Bounds everything this thread reads and writes: httpx's own timeouts begin anew with each byte."""

    def __init__(self, seconds: float):
        self.at = time.monotonic() + seconds

    def __enter__(self) -> "Deadline":
        _attempt.deadline = self
        return self

    def __exit__(self, *_: object) -> None:
        _attempt.deadline = None

    def has_passed(self) -> bool:
        return time.monotonic() >= self.at


def _remaining(timeout: float | None, error: type[Exception]) -> float | None:
    deadline: Deadline | None = getattr(_attempt, "deadline", None)
    if deadline is None:
        return timeout
    left = deadline.at - time.monotonic()
    if left <= 0:
        raise error("the deadline has passed")
    return left if timeout is None else min(left, timeout)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream):
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _remaining(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _remaining(timeout, httpcore.WriteTimeout))

    def start_tls(self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> "_Stream":
        left = _remaining(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left))

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    def __init__(self) -> None:
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> _Stream:
        left = _remaining(timeout, httpcore.ConnectTimeout)
        return _Stream(self._backend.connect_tcp(host, port, left, local_address, socket_options))


class Transport(httpx.HTTPTransport):
    """httpx takes no network backend; a pool does."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = httpcore.ConnectionPool(ssl_context=httpx.create_ssl_context(), network_backend=_Backend())
