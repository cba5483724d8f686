"""The client of the Voice Agent Calling Service, on the standard library alone."""

from .client import Client
from .transport import Answer, ApiError, File, Page, Pages
from .webhooks import WebhookError, verify_webhook

__all__ = ["Answer", "ApiError", "Client", "File", "Page", "Pages", "WebhookError", "verify_webhook"]
