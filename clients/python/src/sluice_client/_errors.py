from __future__ import annotations

import json
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Mapping, Optional

# Statuses with which proxies in front of the service say that it cannot be reached for now.
_PASSING_STATUSES = (429, 502, 503, 504)


class SluiceError(Exception):
    """A call has failed.

    ``code`` is one of the codes at ``/api/v1/errors/``, or one of the client's own:
    ``client.timeout``: the time limit of the call was reached; ``client.connection``: there was no response, or it broke
    off; ``client.response``: the response is not one of Sluice's, for example that of a proxy in front of it.
    """

    code: str
    #: Status of the response; None: there was none.
    status: Optional[int]
    #: Whether the same call may succeed later.
    retryable: bool
    #: Seconds to wait before another try, as ``Retry-After`` says; None: it says nothing.
    retry_after: Optional[float]
    #: Id of the request in the logs of the service.
    request_id: Optional[str]
    #: The body of the response (problem details, RFC 9457); None: it is not a problem of Sluice's.
    problem: Optional[Mapping[str, Any]]

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        retryable: bool = False,
        retry_after: Optional[float] = None,
        request_id: Optional[str] = None,
        problem: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = status
        self.retryable = retryable
        self.retry_after = retry_after
        self.request_id = request_id
        self.problem = problem

    @property
    def errors(self) -> list[Mapping[str, Any]]:
        """What was wrong, with JSON pointers into the request; empty if the response is not one of Sluice's."""
        return [] if self.problem is None else list(self.problem.get("errors", []))

    @property
    def scrape(self) -> Optional[Mapping[str, Any]]:
        """The failed scrape with all its fields; None: the request was refused before it became a scrape."""
        return self.problem if self.problem is not None and "router" in self.problem else None


class WebhookVerificationError(Exception):
    """The message is not from the service, was changed, or is too old. Answer it with 400."""

    #: ``headers``, ``timestamp`` or ``signature``
    reason: str

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def timeout_error(seconds: float) -> SluiceError:
    return SluiceError("client.timeout", f"The call took longer than {seconds:g} s.", retryable=True)


def connection_error() -> SluiceError:
    message = "The service cannot be reached, or the connection broke off."
    return SluiceError("client.connection", message, retryable=True)


def response_error(status: int, headers: Mapping[str, str], body: bytes) -> SluiceError:
    """The error that a response with a status other than 2xx stands for."""
    problem = _problem_of(body)
    retry_after = _read_retry_after(headers.get("retry-after"))
    if problem is not None:
        return SluiceError(
            problem["code"],
            str(problem.get("detail")),
            status=status,
            retryable=problem["retryable"],
            retry_after=retry_after,
            request_id=problem.get("request_id"),
            problem=problem,
        )
    location = headers.get("location")
    if status < 400:
        message = f"The service redirects{'' if location is None else f' to {location}'}. Set `base_url` to where it is."
    else:
        message = f"The response with status {status} is not one of Sluice's."
    return SluiceError(
        "client.response",
        message,
        status=status,
        retryable=status in _PASSING_STATUSES,
        retry_after=retry_after,
        request_id=headers.get("x-request-id"),
    )


def parse_json(status: int, body: bytes) -> Any:
    """The value of a body; None: it is empty."""
    if body == b"":
        return None
    try:
        return json.loads(body)
    except ValueError:
        message = "The response is not JSON, so it is not one of Sluice's."
        raise SluiceError("client.response", message, status=status) from None


def _problem_of(body: bytes) -> Optional[Mapping[str, Any]]:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "code" in value and "retryable" in value else None


def _read_retry_after(text: Optional[str]) -> Optional[float]:
    """``Retry-After``: a number of seconds or a date (RFC 9110 §10.2.3)."""
    if text is None:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except (TypeError, ValueError):
        return None
