"""A server on loopback whose responses a test scripts, one for each request."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable, Dict, List, Mapping, Set


@dataclass(frozen=True)
class Received:
    method: str
    #: With the query.
    path: str
    headers: Dict[str, str]
    body: str

    @property
    def json(self) -> Dict[str, object]:
        value: Dict[str, object] = json.loads(self.body)
        return value


Behaviour = Callable[["Exchange", Received], None]


def answer(status: int, body: object, headers: Mapping[str, str] = {}) -> Behaviour:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def behave(exchange: Exchange, received: Received) -> None:
        exchange.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(content)), **headers}.items():
            exchange.send_header(name, value)
        exchange.end_headers()
        exchange.wfile.write(content)

    return behave


def problem(status: int, code: str, headers: Mapping[str, str] = {}) -> Behaviour:
    return answer(status, {"error": f"problem {code}", "code": code, "requestId": "request-1"}, headers)


#: Fails, and lets the client repeat the request at once.
unavailable = problem(503, "UNAVAILABLE", {"retry-after": "0"})


def hang_up(exchange: Exchange, received: Received) -> None:
    """Closes the connection without a response."""
    exchange.end()


def break_off(exchange: Exchange, received: Received) -> None:
    """Sends the headers and a part of the body."""
    exchange.send_response(200)
    exchange.send_header("content-length", "100")
    exchange.end_headers()
    exchange.wfile.write(b"{")
    exchange.end()


def stall(exchange: Exchange, received: Received) -> None:
    """Never answers."""
    exchange.await_end()


def events(text: str, then: str = "open") -> Behaviour:
    """Sends events. Then the connection stays `open`, is at its `end`, or has a `break`."""

    def behave(exchange: Exchange, received: Received) -> None:
        exchange.send_response(200)
        exchange.send_header("content-type", "text/event-stream")
        exchange.send_header("transfer-encoding", "chunked")
        exchange.end_headers()
        content = text.encode()
        exchange.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        if then == "open":
            exchange.await_end()
            exchange.scripted.closed.set()
        elif then == "end":
            exchange.wfile.write(b"0\r\n\r\n")
        else:
            exchange.end()

    return behave


class Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    scripted: ScriptedServer

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name.startswith("do_"):
            return self._exchange
        raise AttributeError(name)

    def setup(self) -> None:
        self.scripted.connections.add(self.request)
        super().setup()

    def finish(self) -> None:
        self.scripted.connections.discard(self.request)
        super().finish()

    def _exchange(self) -> None:
        body = self._read_body().decode(errors="replace")
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.command, self.path, headers, body)
        self.scripted.next_behaviour(received)(self, received)

    def _read_body(self) -> bytes:
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def await_end(self) -> None:
        """Returns when the client closes the connection, or the test ends."""
        self.close_connection = True
        try:
            self.connection.recv(1)
        except OSError:
            return

    def end(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that breaks is part of the tests."""


class ScriptedServer:
    def __init__(self) -> None:
        self.received: List[Received] = []
        self.connections: Set[socket.socket] = set()
        #: Set when a client has closed a stream.
        self.closed = threading.Event()
        self._arrived = threading.Event()
        self._left: List[Behaviour] = [answer(200, {})]
        self._lock = threading.Lock()
        self._server = _QuietServer(("127.0.0.1", 0), type("ScriptedExchange", (Exchange,), {"scripted": self}))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def script(self, *behaviours: Behaviour) -> None:
        """One behaviour for each of the next requests; the last one also answers all others."""
        self._left = list(behaviours)

    def next_behaviour(self, received: Received) -> Behaviour:
        with self._lock:
            self.received.append(received)
            self._arrived.set()
            return self._left.pop(0) if len(self._left) > 1 else self._left[0]

    def await_request(self) -> Received:
        assert self._arrived.wait(60), "no request has arrived"
        return self.received[0]

    def close(self) -> None:
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._server.shutdown()
        self._server.server_close()
