"""Runs `telex inspect` as a process, sends it a call, and prints what it answers."""

import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request

tool, arguments = sys.argv[1], sys.argv[2:]
LINES = "\n".join(json.dumps(line) for line in [
    {"telex-inspector": 1, "app": "Painter", "run": "1", "number": 1, "dropped": 0},
    {"event": "started", "date": 1e12, "elapsed": 0, "api": "Gallery", "method": "pictures.list",
     "call": "#1", "attempt": 1},
    {"event": "failed", "date": 1e12 + 9, "elapsed": 9, "api": "Gallery", "method": "pictures.list",
     "call": "#1", "attempt": 1, "violations": [{"path": "[0].title", "text": "[0].title: expected a string"}]},
])


def ask(url, code=None, body=None):
    fields = {"X-Telex-Code": code} if code else {}
    if body:
        fields["Content-Type"] = "application/x-ndjson"
    try:
        request = urllib.request.Request(url, data=body and body.encode(), headers=fields)
        with urllib.request.urlopen(request) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def declare(url, size):
    """Declares a body, of which nothing is sent, and returns the status."""
    host, port = url.split("/")[2].split(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(f"POST /lines HTTP/1.1\r\nHost: {host}\r\nContent-Length: {size}\r\n\r\n".encode())
        return int(client.recv(64).split()[1])


process = subprocess.Popen([tool, "inspect", "--port", "0", *arguments], stdout=subprocess.PIPE, text=True)
try:
    shown = process.stdout.readline().strip()
    address = shown.split("?")[0]
    code = process.stdout.readline().split()[-1] if "?" in shown else None
    print(json.dumps({
        "shown": shown, "code": code,
        "without": ask(address)[0],
        "page": "<!doctype html>" in ask(address, code)[1],
        "sent": ask(address + "lines", code, LINES)[0],
        "large": declare(address, 1 << 30),
        "call": ask(address + "calls/1", code)[1],
    }))
finally:
    process.terminate()
    process.wait()
