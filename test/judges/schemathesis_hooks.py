"""Signs what Schemathesis sends as the specification says; requests without our key are left as they are."""

import hashlib
import hmac
import os
from datetime import datetime, timezone

import requests
import schemathesis

API_KEY = os.environ["JUDGE_API_KEY"]
SECRET_SALT = os.environ["JUDGE_SECRET_SALT"]
AUTHORIZATION = f"Bearer {API_KEY}"


class Signer(requests.auth.AuthBase):
    """Adds time and signature to a request that carries our key, over the bytes that are sent."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if request.headers.get("Authorization") == AUTHORIZATION:
            body = request.body or b"{}"
            data = body.encode("utf-8") if isinstance(body, str) else body
            timestamp = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            signed = hmac.new(SECRET_SALT.encode(), timestamp.encode() + data, hashlib.sha256)
            request.headers["X-Timestamp"] = timestamp
            request.headers["X-Signature"] = signed.hexdigest()
        return request


@schemathesis.auth(refresh_interval=None)
class MerchantAuth:
    """Gives each case our key and salt; where a check takes them away again, the signer does nothing."""

    def get(self, case, context):
        return Signer()

    def set(self, case, signer, context):
        case.headers["Authorization"] = AUTHORIZATION
        case.headers["X-Secret-Salt"] = SECRET_SALT
        case.headers["X-Timestamp"] = ""
        case.headers["X-Signature"] = ""
        case._auth = signer
