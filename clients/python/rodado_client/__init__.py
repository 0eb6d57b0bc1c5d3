"""Client of the Rodado partner API. The operations are in `rodado_client.generated.api`."""

from .client import Rodado
from .problems import ConnectionFailed, ProblemError, RodadoError
from .webhook import WebhookError, verify_webhook

__version__ = "0.2.0"
__all__ = ["ConnectionFailed", "ProblemError", "Rodado", "RodadoError", "WebhookError", "verify_webhook"]
