from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Generic, Optional, Sequence, TypeVar

if sys.version_info >= (3, 11):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict

_T = TypeVar("_T")


@dataclass(frozen=True)
class Page(Generic[_T]):
    """A page of a list."""

    items: Sequence[_T]
    #: To be given as ``cursor`` to continue after this page; None: it is the last one.
    next_cursor: Optional[str]


class JobEvent(TypedDict):
    """An event of a job."""

    type: str
    #: Number of the event in the job.
    sequence: int
    at: str
    state: str
    counts: dict[str, int]
    #: The item that the event is about; None: it is about the job.
    item: Optional[dict[str, Any]]
