from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from time import time
from typing import Any, Mapping, Sequence, Union

from ._errors import WebhookVerificationError


def verify_webhook(
    secret: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: Union[str, bytes],
    *,
    tolerance: float = 300,
) -> dict[str, Any]:
    """Verifies a message of a webhook as Standard Webhooks 1.0 says, and returns it.

    :param secret: ``whsec_…``; several while they are rotated
    :param body: as it arrived: the text or the bytes, not the parsed JSON
    :param tolerance: how far the time of the message may be from now, in seconds, in both directions
    :raises WebhookVerificationError: if the message is not from the service, was changed, or is too old
    """
    fields = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signatures = (fields[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError:
        raise WebhookVerificationError("headers", "One of the headers of Standard Webhooks is missing.") from None
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError("timestamp", "The time of the message is too far from now.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + content
    given = [one[3:] for one in signatures.split(" ") if one.startswith("v1,")]
    for one in [secret] if isinstance(secret, str) else secret:
        digest = hmac.new(_key_of(one), signed, hashlib.sha256).digest()
        expected = base64.b64encode(digest)
        if any(hmac.compare_digest(expected, signature.encode()) for signature in given):
            message: dict[str, Any] = json.loads(content)
            return message
    raise WebhookVerificationError("signature", "No signature of the message fits.")


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(re.sub("^whsec_", "", secret), validate=True)
    except binascii.Error:
        key = b""
    if key == b"":
        raise ValueError("The secret is not `whsec_` and Base64.")
    return key
