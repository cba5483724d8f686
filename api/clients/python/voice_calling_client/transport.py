"""Sends requests: the token, time-outs, pages, and another try where that cannot do anything twice.

A request that changes something is sent again only with an Idempotency-Key, by which the service does it once.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Generic, Iterator, List, NamedTuple, Optional, Tuple, TypeVar, Union, cast

T = TypeVar("T")
Query = Dict[str, Any]

# A longer wait is a state that somebody must change: no trunk, a paused campaign.
RETRY_AFTER_MAX_SECONDS = 10.0
# The limit of requests counts by the minute.
RATE_LIMIT_MAX_SECONDS = 60.0
BACKOFF_SECONDS = (0.5, 8.0)
AGAIN = {429, 502, 503, 504}
STREAM_SILENCE_SECONDS = 45.0
STREAM_TRIES_MAX = 15
PAGE = 100


class ApiError(Exception):
    """An answer that is no success, or none at all (`status` 0). Programs look at `code`."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        fields: Optional[List[Dict[str, str]]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        self.status = status
        self.code = code
        self.fields = fields or []
        self.request_id = request_id
        self.retry_after = retry_after
        named = "; ".join(f"{each['field']} {each['message']}" for each in self.fields)
        super().__init__(f"{message}: {named}" if named else message)


class File(NamedTuple):
    """A file to send."""

    name: str
    content: bytes
    type: str = "application/octet-stream"


class Answer:
    """A file that is read as it comes: `read()`, or in a `with` block piece by piece."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.type = response.headers.get("content-type", "")

    def read(self, size: int = -1) -> bytes:
        return self._response.read() if size < 0 else self._response.read(size)

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self._response.close()


class Page(Generic[T]):
    """One page of a list."""

    def __init__(self, data: List[T], pagination: Dict[str, Any]) -> None:
        self.data = data
        self.pagination = pagination


class Pages(Generic[T]):
    """A list with pages: `page()` is one, and going through it gives the records of all."""

    def __init__(self, load: Callable[[Query], Page[T]], query: Query) -> None:
        self._load = load
        self._query = query

    def page(self) -> Page[T]:
        return self._load(self._query)

    def __iter__(self) -> Iterator[T]:
        given = set()
        number = self._query.get("page") or 1
        while True:
            page = self._load({**self._query, "page": number, "limit": self._query.get("limit") or PAGE})
            for record in page.data:
                identity = record.get("id") if isinstance(record, dict) else None
                # A record that is made meanwhile moves the others to later pages.
                if identity is not None and identity in given:
                    continue
                given.add(identity)
                yield record
            if not page.pagination["hasNext"]:
                return
            number += 1


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The token goes to the address that it was given for, and to no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Transport:
    def __init__(
        self,
        url: str,
        token: Union[str, Callable[[], str], None],
        *,
        timeout: float,
        retries: int,
        on_warning: Optional[Callable[[str], None]],
    ) -> None:
        if not re.match(r"https?://", url):
            raise ValueError(f"{url!r} is no address: it begins with https:// or http://")
        self._base = re.sub(r"(/api(/v1)?)?/?$", "", url, count=1) + "/api/v1"
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._on_warning = on_warning
        self._opener = urllib.request.build_opener(_NoRedirects)
        self.pause: Callable[[float], None] = time.sleep

    def send(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        form: Optional[Tuple[File, Dict[str, str]]] = None,
        query: Optional[Query] = None,
        headers: Optional[Dict[str, str]] = None,
        key: Optional[str] = None,
        keyed: bool = False,
        media: str = "application/octet-stream",
        timeout: Optional[float] = None,
        read: Callable[[http.client.HTTPResponse], T],
    ) -> T:
        sent = dict(headers or {})
        if keyed and key is None:
            key = str(uuid.uuid4())
        if key is not None:
            sent["Idempotency-Key"] = key
        data = _encoded(body, form, media, sent)
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        text = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in asked.items()}
        address = self._base + path + (f"?{urllib.parse.urlencode(text)}" if text else "")
        tries = 1
        while True:
            try:
                return self._try(method, address, data, sent, timeout or self._timeout, read)
            except ApiError as fault:
                wait = _wait_before(fault, tries)
                if (method != "GET" and key is None) or tries > self._retries or wait is None:
                    raise
                self.pause(wait)
                tries += 1

    def _try(
        self,
        method: str,
        address: str,
        data: Optional[bytes],
        headers: Dict[str, str],
        timeout: float,
        read: Callable[[http.client.HTTPResponse], T],
    ) -> T:
        token = self._token() if callable(self._token) else self._token
        own = {**headers, **({} if token is None else {"Authorization": f"Bearer {token}"})}
        request = urllib.request.Request(address, data, own, method=method)
        try:
            return read(cast(http.client.HTTPResponse, self._opener.open(request, timeout=timeout)))
        except urllib.error.HTTPError as answer:
            raise _error_of(answer) from None
        except TimeoutError as fault:
            raise ApiError(0, "TIMEOUT", f"The service did not answer within {timeout} s") from fault
        except (OSError, http.client.HTTPException) as fault:
            reason = getattr(fault, "reason", fault)
            if isinstance(reason, TimeoutError):
                raise ApiError(0, "TIMEOUT", f"The service did not answer within {timeout} s") from fault
            raise ApiError(0, "UNREACHABLE", f"{self._base} cannot be reached ({reason})") from fault

    def warn(self, texts: List[str]) -> None:
        for text in texts:
            if self._on_warning is not None:
                self._on_warning(text)


class Group:
    """Operations of one subject."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @staticmethod
    def _path(template: str, *values: Union[str, int]) -> str:
        given = iter(values)

        def segment(_: re.Match[str]) -> str:
            value = str(next(given))
            if value in ("", ".", ".."):
                raise ValueError(f"{value!r} is no id")
            return urllib.parse.quote(value, safe="")

        return re.sub(r"\{\w+\}", segment, template)

    def _data(self, method: str, path: str, **sent: Any) -> Any:
        answer = self._transport.send(method, path, read=lambda response: json.loads(response.read()), **sent)
        self._transport.warn(answer.get("warnings", []))
        return answer["data"]

    def _pages(self, path: str, *, query: Optional[Query] = None, timeout: Optional[float] = None) -> Pages[Any]:
        def load(wanted: Query) -> Page[Any]:
            answer = self._transport.send(
                "GET", path, query=wanted, timeout=timeout, read=lambda response: json.loads(response.read())
            )
            return Page(answer["data"], answer["pagination"])

        return Pages(load, query or {})

    def _file(self, method: str, path: str, **sent: Any) -> Answer:
        return self._transport.send(method, path, read=Answer, **sent)

    def _events(self, path: str, *, timeout: Optional[float] = None) -> Iterator[Dict[str, Any]]:
        """Goes on where it broke off, until the call has ended."""
        last: Optional[str] = None
        tries = 0
        while True:
            headers = {"Accept": "text/event-stream", **({} if last is None else {"Last-Event-ID": last})}
            fault: Exception = ApiError(0, "UNREACHABLE", "The stream ended before the call")
            try:
                response = self._transport.send(
                    "GET", path, headers=headers, timeout=timeout or STREAM_SILENCE_SECONDS, read=lambda answer: answer
                )
                with response:
                    for identity, kind, data in _server_sent(response):
                        last, tries = identity or last, 0
                        yield {**json.loads(data), "type": kind}
                        if kind == "ended":
                            return
            except ApiError as error:
                if 300 <= error.status < 500 and error.status != 429:
                    raise
                fault = error
            except (OSError, http.client.HTTPException) as error:
                fault = error
            tries += 1
            if tries >= STREAM_TRIES_MAX:
                raise fault
            self._transport.pause(min(10.0, 0.5 * 2 ** (tries - 1)))


def _server_sent(response: http.client.HTTPResponse) -> Iterator[Tuple[Optional[str], str, str]]:
    identity: Optional[str] = None
    kind = "message"
    data: List[str] = []
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            if data:
                yield identity, kind, "\n".join(data)
            identity, kind, data = None, "message", []
        elif field == "id":
            identity = value
        elif field == "event":
            kind = value
        elif field == "data":
            data.append(value)


def _encoded(
    body: Any, form: Optional[Tuple[File, Dict[str, str]]], media: str, headers: Dict[str, str]
) -> Optional[bytes]:
    if form is not None:
        file, fields = form
        boundary = uuid.uuid4().hex
        headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
        parts = [_part(boundary, f'name="{name}"', "text/plain", value.encode()) for name, value in fields.items()]
        name = re.sub(r'[\r\n"]', "_", file.name)
        parts.append(_part(boundary, f'name="file"; filename="{name}"', file.type, file.content))
        return b"".join(parts) + f"--{boundary}--\r\n".encode()
    if body is None:
        return None
    if isinstance(body, bytes):
        headers["Content-Type"] = media
        return body
    headers["Content-Type"] = "text/csv" if isinstance(body, str) else "application/json"
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _part(boundary: str, disposition: str, kind: str, content: bytes) -> bytes:
    head = f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\nContent-Type: {kind}\r\n\r\n"
    return head.encode() + content + b"\r\n"


def _wait_before(fault: ApiError, tries: int) -> Optional[float]:
    """None: there is no use in another try."""
    # A first try whose connection broke may still be at work.
    if fault.status != 0 and fault.code != "IDEMPOTENCY_KEY_BUSY" and fault.status not in AGAIN:
        return None
    if fault.retry_after is not None:
        most_wait = RATE_LIMIT_MAX_SECONDS if fault.code == "RATE_LIMITED" else RETRY_AFTER_MAX_SECONDS
        return fault.retry_after if fault.retry_after <= most_wait else None
    first, most = BACKOFF_SECONDS
    return min(most, first * 2.0 ** (tries - 1)) * random.uniform(0.5, 1)


def _error_of(answer: urllib.error.HTTPError) -> ApiError:
    status = answer.code
    if 300 <= status < 400:
        place = answer.headers.get("location", "unknown")
        return ApiError(status, "REDIRECTED", f"The service is at another address ({place}): use that one")
    try:
        body = json.loads(answer.read())
        body = body if isinstance(body, dict) and "success" in body else {}
    except (ValueError, OSError, http.client.HTTPException):
        body = {}
    message = f"The service answered {status}, and not as this program expects it: is the address right?"
    return ApiError(
        status,
        body.get("code", "UNKNOWN"),
        body.get("error", message),
        body.get("errors"),
        answer.headers.get("x-request-id"),
        _seconds_of(answer.headers.get("retry-after")),
    )


def _seconds_of(retry_after: Optional[str]) -> Optional[float]:
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
