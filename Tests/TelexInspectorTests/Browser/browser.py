"""A page in headless Chromium, driven over the DevTools protocol with the standard library alone."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class WebSocket:
    """The client side of RFC 6455, as far as DevTools needs it."""

    def __init__(self, url):
        host, path = url.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), timeout=180)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def send(self, text):
        data = text.encode()
        head = bytes([0x81])
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(data))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(data))
        mask = os.urandom(4)
        body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.socket.sendall(head + mask + body)

    def receive(self):
        text = b""
        while True:
            first, second = self.file.read(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.file.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.file.read(8))[0]
            data = self.file.read(size)
            if first & 0x0F in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Browser:
    """A browser process with one page at a time."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [
                program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-port=0",
                "--remote-allow-origins=*", f"--user-data-dir={self.folder}", "about:blank",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place = os.path.join(self.folder, "DevToolsActivePort")
        while not (os.path.exists(place) and open(place).read().count("\n")):
            if self.process.poll() is not None:
                raise RuntimeError("the browser does not start")
            time.sleep(0.05)
        self.port = int(open(place).read().split("\n")[0])

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def open(self, url, width=1280, height=800, dark=False):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request))
        return Page(target["webSocketDebuggerUrl"], url, width, height, dark)


class Page:
    """A page, with what it logs and what asks for attention."""

    def __init__(self, address, url, width, height, dark):
        self.socket = WebSocket(address)
        self.number = 0
        self.events = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.size(width, height)
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url=url)
        while not self.isLoaded(url):
            time.sleep(0.02)

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if message.get("method") == "Page.javascriptDialogOpening":
                self.events.append(message)
                # A dialog stops the script until it is answered.
                self.number += 1
                self.socket.send(json.dumps({
                    "id": self.number, "method": "Page.handleJavaScriptDialog",
                    "params": {"accept": True}}))
                self.number -= 1
                continue
            self.events.append(message)

    def isLoaded(self, url):
        try:
            return self.run(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")
        except RuntimeError:
            return False  # The old document went away meanwhile.

    def front(self):
        """A page that is not in front draws nothing."""
        self.call("Page.bringToFront")

    def size(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600)

    def run(self, script):
        """The value of an expression, which may be a promise."""
        result = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
            allowUnsafeEvalBlockedByCSP=False)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {json.dumps(result['exceptionDetails'])[:2000]}")
        return result["result"].get("value")

    def wait(self, script):
        """Returns once an expression is true, on a frame of the page; fails after two minutes."""
        self.run(
            "new Promise((done, fail) => { const start = performance.now(); const look = () => {"
            f" if ({script}) done(true);"
            f" else if (performance.now() - start > 120000) fail(new Error({json.dumps(script)} + ' but: ' + document.body.innerText.slice(0, 500)));"
            " else requestAnimationFrame(look); }; look(); })")

    def key(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            parameters = {"type": kind, "key": key, "code": code or key}
            if kind == "keyDown" and len(key) == 1:
                parameters["text"] = key
            self.call("Input.dispatchKeyEvent", **parameters)

    def picture(self, path):
        image = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(image))

    def problems(self):
        """Dialogs, uncaught errors, errors in the log, and requests to other places."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Page.javascriptDialogOpening", "Runtime.exceptionThrown"):
                found.append(json.dumps(event)[:500])
            if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("http://127.0.0.1:", "data:", "about:")):
                    found.append(url)
        return found
