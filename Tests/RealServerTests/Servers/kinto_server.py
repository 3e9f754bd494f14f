"""Kinto with everything in memory. Writes its port to the file of the first argument.

Readers without an account may keep lists and records for a minute; that is a setting of Kinto."""

import os
import sys

import kinto
from waitress.server import create_server

app = kinto.main(
    {},
    **{
        "userid_hmac_secret": "secret",
        "storage_backend": "kinto.core.storage.memory",
        "cache_backend": "kinto.core.cache.memory",
        "permission_backend": "kinto.core.permission.memory",
        "bucket_create_principals": "system.Authenticated",
        "multiauth.policies": "basicauth",
        "multiauth.policy.basicauth.use":
            "kinto.core.authentication.BasicAuthAuthenticationPolicy",
        "record_cache_expires_seconds": "60",
    })
server = create_server(app, host="127.0.0.1", port=0)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.effective_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.run()
