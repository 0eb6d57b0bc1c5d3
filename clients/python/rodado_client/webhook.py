import base64
import json
from collections.abc import Mapping
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from .problems import RodadoError


class WebhookError(RodadoError):
    """The delivery is not signed with any of the secrets, or is too old."""


def verify_webhook(headers: Mapping[str, str], body: bytes | str, *secrets: str) -> dict[str, Any]:
    """
    Verifies a delivery and returns its event. `body` is as received. Answer 2xx within 15 seconds; the same `Id` may come
    again. A secret is the webhook's `Secret` or its `SecretEstandar`; give both while one replaces the other.
    """
    given = {name.lower(): value for name, value in headers.items()}
    if not secrets or not all(secrets):
        raise WebhookError("A secret is needed.")
    for secret in secrets:
        try:
            data = body.decode() if isinstance(body, bytes) else body
            Webhook(_standard(secret)).verify(data, given)
            return json.loads(data)
        except (WebhookVerificationError, ValueError) as cause:  # ValueError: a malformed header or body
            error = cause
    raise WebhookError(str(error)) from error


def _standard(secret: str) -> str:
    """The secret as Standard Webhooks has it: base64 of its bytes."""
    return secret if secret.startswith("whsec_") else "whsec_" + base64.b64encode(secret.encode()).decode()
