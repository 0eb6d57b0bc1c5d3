"""The Rodado partner API with Python's standard library: signed requests, and webhooks that are believed only when genuine.

    export RODADO_URL=… RODADO_APP_KEY=… RODADO_APP_SECRET=…
    python3 rodado_client.py GET '/v3/marcas?q=fiat'
    python3 rodado_client.py POST /v3/agencias '{"AdminMail": "acepta1@prueba.example"}'
"""
import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.utils import formatdate


class Problem(Exception):
    """A refusal. `code` is the last part of its Type, `errors` names each property that is wrong."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('Detail', '')}")
        self.status = status
        self.code = body.get("Type", "").rsplit("/", 1)[-1]
        self.errors = body.get("Errors", {})
        self.extensions = body.get("Extensions", {})


class Rodado:
    def __init__(self, url, app_key, app_secret, prefix="SVC"):
        self.url, self.app_key, self.prefix = url.rstrip("/"), app_key, prefix
        self.key = app_secret.encode()

    def sign(self, method, path, body, own):
        """The headers that sign a request; `own` are those that begin with x-svc-."""
        digest = ""
        if body is not None:
            digest = "sha-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()
        lines = [method, digest, "", *(f"{name}:{own[name]}" for name in sorted(own)), path]
        signature = hmac.new(self.key, "\n".join(lines).encode(), hashlib.sha256).digest()
        headers = {**own, "Authorization": f"{self.prefix}-HMAC {self.app_key}:{base64.b64encode(signature).decode()}"}
        if body is not None:
            headers.update({"Digest": digest, "Content-Type": "application/json"})
        return headers

    def call(self, method, path, body=None):
        """Sends a request and gives the answer's body; a refusal is raised as Problem."""
        path = urllib.parse.quote(path, safe="%/:?#[]@!$&'()*+,;=~")  # signed as it is sent; what is encoded stays
        data = None if body is None else json.dumps(body).encode()
        mark = f"x-{self.prefix.lower()}-"
        own = {mark + "date": formatdate(usegmt=True), mark + "nonce": uuid.uuid4().hex}
        headers = {"Accept": "application/json", **self.sign(method, path, data, own)}
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            text = error.read()
            try:
                raise Problem(error.code, json.loads(text)) from None
            except ValueError:
                raise Problem(error.code, {"Detail": text.decode(errors="replace")}) from None

    def entries(self, path):
        """Every entry of a list, over all its pages."""
        while path:
            page = self.call("GET", path)
            yield from page["_entries"]
            path = page["_links"].get("next", {}).get("href") if page["_entries"] else None


def verify_webhook(headers, body, secret, tolerance=300, now=None):
    """The event that was delivered, once it is sure who sent it; ValueError otherwise. `body` is the bytes as they came."""
    headers = {name.lower(): value for name, value in headers.items()}
    moment = headers.get("webhook-timestamp", "")
    if not moment.isdigit() or abs((time.time() if now is None else now) - int(moment)) > tolerance:
        raise ValueError("too old, or without a time")
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    message = f"{headers.get('webhook-id')}.{moment}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in given):
        raise ValueError("no signature fits")
    return json.loads(body)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    client = Rodado(os.environ["RODADO_URL"], os.environ["RODADO_APP_KEY"], os.environ["RODADO_APP_SECRET"])
    try:
        answer = client.call(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]) if len(sys.argv) > 3 else None)
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    except Problem as problem:
        sys.exit(f"{problem}\n{json.dumps(problem.errors, ensure_ascii=False)}")
