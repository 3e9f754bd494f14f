"""A Flask app that requires a token, serves a tracker, and stores uploads in the file `arrived`. Its
argument is the file to which it writes its port."""

import collections
import os
import sys

from flask import Flask, jsonify, request
from werkzeug.serving import make_server

import tokens as oauth
import tracker

app = Flask(__name__)
app.register_blueprint(tracker.routes)
tokens = oauth.Tokens()
create_token_response, protector = oauth.serve(app, tokens)
served = collections.Counter()


@app.before_request
def read_form():
    """Reads forms before a request is refused. Closing a connection with unread bytes resets it, which
    may drop the reply."""
    request.form


@app.after_request
def count(response):
    if response.status_code == 401:
        tokens.count_refusal()
    return response


@app.post("/token")
def token():
    return create_token_response()


@app.route("/me", methods=["GET", "POST"])
@protector()
def me():
    number = int(request.values["n"])
    with tokens.lock:
        served[number] += 1
    return jsonify(user="ann", n=number)


def arrival(stream, **facts):
    with open("arrived", "wb") as file:
        while chunk := stream.read(1 << 16):
            file.write(chunk)
    declared = request.headers.get("Content-Length")
    coding = request.headers.get("Transfer-Encoding")
    return jsonify(declared=declared, coding=coding, **facts)


@app.post("/upload")
@protector()
def upload():
    file = request.files["file"]
    return arrival(file.stream, name=file.filename, title=request.form["title"])


@app.put("/raw")
def raw():
    return arrival(request.stream)


@app.post("/control")
def control():
    """Revokes all access tokens, limits the next ones, and returns the counters."""
    with tokens.lock:
        if "expire" in request.form:
            tokens.expire(int(request.form["expire"]))
        if "uses" in request.form:
            tokens.uses = int(request.form["uses"])
        return jsonify(
            asked=tokens.asked, granted=tokens.granted, reused=tokens.reused,
            refused=tokens.refused, served=len(served),
            repeated=sum(times > 1 for times in served.values()))


server = make_server("127.0.0.1", 0, app, threaded=True)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
