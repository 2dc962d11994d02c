"""Client of the Sluice API: ``Sluice``, and ``AsyncSluice`` for asyncio."""

from . import _types as types
from ._async_client import AsyncPages, AsyncSluice
from ._errors import SluiceError, WebhookVerificationError
from ._models import JobEvent, Page
from ._sync_client import Pages, Sluice
from ._webhooks import verify_webhook

__all__ = [
    "AsyncPages",
    "AsyncSluice",
    "JobEvent",
    "Page",
    "Pages",
    "Sluice",
    "SluiceError",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
