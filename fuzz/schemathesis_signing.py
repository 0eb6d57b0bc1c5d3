"""Signs what Schemathesis sends, as docs/fuzz.md says: SCHEMATHESIS_HOOKS=schemathesis_signing."""
import base64
import hashlib
import hmac
import json
import os
import uuid
from email.utils import formatdate

import requests
import schemathesis

APP_KEY, APP_SECRET, SITIO_KEY = (os.environ[name] for name in ("APP_KEY", "APP_SECRET", "SITIO_KEY"))


class Signed(requests.auth.AuthBase):
    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if request.path_url.startswith("/interno"):
            request.headers["Authorization"] = f"Bearer {SITIO_KEY}"
            return request
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        digest = ""
        if body:
            digest = "sha-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()
            request.headers["Digest"] = digest
        date, nonce = formatdate(usegmt=True), uuid.uuid4().hex
        request.headers["Date"], request.headers["X-SVC-Nonce"] = date, nonce
        text = "\n".join([request.method, digest, date, f"x-svc-nonce:{nonce}", request.path_url])
        proof = base64.b64encode(hmac.new(APP_SECRET.encode(), text.encode(), hashlib.sha256).digest()).decode()
        request.headers["Authorization"] = f"SVC-HMAC {APP_KEY}:{proof}"
        return request


@schemathesis.serializer("application/x-ndjson")
def as_lines(context, value):
    rows = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(row) for row in rows).encode()


schemathesis.auth.set_from_requests(Signed())
