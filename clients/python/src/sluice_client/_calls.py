from __future__ import annotations

import random
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Mapping, Optional
from urllib.parse import quote
from uuid import uuid4

from ._errors import SluiceError, timeout_error

_DEFAULT_TIMEOUT = 60.0
#: How much longer than the `timeout_ms` of its request a call may take.
_GRACE = 15.0
_FIRST_PAUSE = 0.5
_MAX_PAUSE = 8.0
_CONFLICT_PAUSE = 1.0


@dataclass(frozen=True)
class Call:
    method: str
    #: From `/api/` on.
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    #: Sent as JSON; None: there is no body.
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: What makes it safe to send the call again if its response is lost. `key`: an `Idempotency-Key`, which the endpoint
    #: must support; `safe`: it has no lasting effect. None: `safe` for GET; all others are then only repeated after the
    #: service itself has refused them for now.
    repeat: Optional[str] = None


def url_of(base_url: str, path: str) -> str:
    return base_url.rstrip("/") + path


def id_path(collection: str, item: str, rest: str = "") -> str:
    return f"/api/v1/{collection}/{quote(item, safe='')}/{rest}"


def query_of(query: Mapping[str, Any]) -> dict[str, str]:
    """The given parameters as texts; those that are None are left out."""
    texts = {True: "true", False: "false"}
    return {
        name: texts[value] if isinstance(value, bool) else str(value)
        for name, value in query.items()
        if value is not None
    }


class Tries:
    """The tries of one call: how long they may take, and whether there is another one."""

    def __init__(
        self, call: Call, timeout: Optional[float], max_retries: int, idempotency_key: Optional[str]
    ) -> None:
        self.seconds = _time_limit(call) if timeout is None else timeout
        self._end = monotonic() + self.seconds
        self._call = call
        self._retries_left = max_retries
        self._retries = 0
        self._own_key = idempotency_key
        self._key = idempotency_key or str(uuid4()) if call.repeat == "key" else None

    def headers(self, api_key: str) -> dict[str, str]:
        headers = {"accept": "application/json", "authorization": f"Api-Key {api_key}"}
        if self._key is not None:
            headers["idempotency-key"] = self._key
        return {**headers, **self._call.headers}

    def remaining(self) -> float:
        """Seconds that are left. Raises SluiceError if none are."""
        seconds = self._end - monotonic()
        if seconds <= 0:
            raise timeout_error(self.seconds)
        return seconds

    def pause_after(self, error: SluiceError) -> float:
        """Seconds until the next try. Raises the error if there is none."""
        # The first try is still running; its response is what the caller wants.
        is_conflict = error.code == "idempotency.conflict"
        if not is_conflict:
            if self._retries_left == 0 or not self._may_repeat(error):
                raise error
            self._retries_left -= 1
            self._retries += 1
        pause = error.retry_after
        if pause is None:
            pause = _CONFLICT_PAUSE if is_conflict else _pause_before(self._retries)
        if pause >= self._end - monotonic():
            raise error
        # With its key, a scrape that has ended would only be answered with the same result.
        if self._key is not None and _has_ended(error):
            self._key = str(uuid4())
        return pause

    def _may_repeat(self, error: SluiceError) -> bool:
        """Whether another try is useful, and does nothing twice."""
        if not error.retryable or error.code == "client.timeout":
            return False
        # A key of the caller's own stands for one scrape.
        if _has_ended(error):
            return self._own_key is None
        return error.problem is not None or self._call.repeat is not None or self._call.method == "GET"


def _time_limit(call: Call) -> float:
    asked = call.body.get("timeout_ms") if isinstance(call.body, Mapping) else None
    return (asked / 1000 if isinstance(asked, (int, float)) else _DEFAULT_TIMEOUT) + _GRACE


def _has_ended(error: SluiceError) -> bool:
    """Whether the error is a scrape that was made, and has failed."""
    return error.scrape is not None and error.scrape.get("id") is not None


def _pause_before(retry: int) -> float:
    """Doubles with each try, up to a quarter earlier or later, so that callers do not come all at once."""
    return min(_MAX_PAUSE, _FIRST_PAUSE * 2.0 ** (retry - 1)) * random.uniform(0.75, 1.25)
