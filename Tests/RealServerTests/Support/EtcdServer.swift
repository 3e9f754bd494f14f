import EtcdClient
import TelexRuntime

/// An etcd with an empty store, behind an nginx.
///
/// etcd ends the reply to a refused request with fields after the body, at which `URLSession` on Linux
/// ends the process. nginx leaves them out.
enum EtcdServer {
    private static let etcd = LocalServer(
        program: "etcd",
        arguments: [
            "--data-dir={folder}/data", "--log-level=error",
            "--listen-peer-urls=http://127.0.0.1:0", "--listen-client-urls=http://127.0.0.1:{port}",
            "--advertise-client-urls=http://127.0.0.1:{port}",
            // The only member becomes the leader at once.
            "--heartbeat-interval=10", "--election-timeout=100",
        ])

    /// Runs etcd while `body` runs, which gets a manager without a credential.
    static func run<Value: Sendable>(
        secrets: (any SecretProvider)? = nil,
        _ body: (APIManager<Etcd>) async throws -> Value
    ) async throws -> Value {
        try await etcd.run { etcd in
            try await proxy(of: etcd).run { address in
                try await body(
                    APIManager<Etcd>(transport: PatientTransport()) {
                        $0.secrets = secrets
                        $0.server = .url("\(address)v3/")
                    })
            }
        }
    }

    private static func proxy(of address: String) -> LocalServer {
        LocalServer(
            program: "nginx", arguments: ["-p", "{folder}", "-c", "{folder}/nginx.conf"],
            files: [
                "nginx.conf": """
                daemon off; pid nginx.pid; error_log stderr warn;
                events { }
                http {
                    access_log off;
                    client_body_temp_path body; fastcgi_temp_path fastcgi; proxy_temp_path proxy;
                    scgi_temp_path scgi; uwsgi_temp_path uwsgi;
                    server {
                        listen 127.0.0.1:{port};
                        location / {
                            proxy_pass \(address);
                            proxy_http_version 1.1;
                            proxy_buffering off;
                            proxy_read_timeout 10h;
                        }
                    }
                }

                """
            ])
    }
}
