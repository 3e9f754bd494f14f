"""The routes of `specs/tracker`: problem details (RFC 9457), pages with `Link` fields (RFC 8288) and
replies by status."""

from flask import Blueprint, Response, jsonify, request, url_for

routes = Blueprint("tracker", __name__, url_prefix="/v1")
issues = [{"id": number, "title": f"Issue {number}"} for number in range(1, 8)]
exports = []


def problem(status, detail, **members):
    reply = jsonify(title="Problem", status=status, detail=detail, **members)
    reply.status_code = status
    reply.content_type = "application/problem+json"
    return reply


@routes.before_request
def authenticate():
    if request.endpoint != "tracker.log_in" and request.headers.get("Authorization") != "Bearer t1":
        return problem(401, "Log in first.")


@routes.post("/session")
def log_in():
    if request.json["password"] != "correct":
        return problem(422, "The password is wrong.", fields={"password": "wrong"})
    user = {"id": 5, "name": request.json["name"]}
    return jsonify(access_token="t1", expires_in_ms=3_600_000, user=user)


@routes.get("/issues")
def list_issues():
    page, size = int(request.args["page"]), int(request.args.get("per_page", 3))
    reply = jsonify(issues[(page - 1) * size : page * size])
    last = (len(issues) + size - 1) // size
    links = [f'<{url_for("tracker.list_issues", page=last, per_page=size)}>; rel="last"']
    if page < last:
        links.append(f'<?page={page + 1}&per_page={size}>; rel="next"; title="more, \\"new\\""')
    reply.headers["Link"] = ", ".join(links)
    reply.headers["X-Total-Count"] = len(issues)
    return reply


@routes.post("/issues")
def create():
    reply = jsonify(id=8, title=request.json["title"])
    reply.status_code = 201
    reply.headers["Location"] = url_for("tracker.log", number=8, _external=True)
    reply.set_etag("one")
    return reply


@routes.get("/issues/<int:number>/log")
def log(number):
    if number > len(issues):
        return problem(404, f"There is no issue {number}.")
    return Response("Grüße".encode("latin-1"), content_type="text/plain; charset=iso-8859-1")


@routes.post("/issues/<int:number>/close")
def close(number):
    return problem(409, f"Issue {number} is closed.")


@routes.get("/issues/<int:number>/people")
def people(number):
    person = {"id": 1, "name": "Ann"}
    return jsonify(person if number == 1 else [person])


@routes.post("/issues/export")
def export():
    exports.append(1)
    if len(exports) == 1:
        return jsonify(job=1, wait=0.5), 202
    if len(exports) == 2:
        return jsonify(url="https://files.example/all.zip", bytes=9)
    return "", 204
