import Foundation
import ProcessSupport
import Testing

/// The servers that are installed on this machine.
enum InstalledServers {
    private static let folders =
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)

    /// The path of nginx; nil if it is not installed.
    static let nginx = program("nginx")

    /// The path of a program of one server; nil if it is not installed. The folders of some are often
    /// not in the `PATH` of users other than root.
    static func program(_ name: String) -> String? {
        (folders + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"])
            .map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }

    // The system's Python first, because only that one finds Debian's packages.
    private static let search = Task { await python(with: "authlib, flask", in: ["/usr/bin"]) }
    private static let djangoSearch = Task {
        await python(
            with: "django, rest_framework, rest_framework_simplejwt", in: ["/usr/bin"])
    }
    private static let kintoSearch = Task {
        await python(with: "kinto, waitress", in: ["\(NSHomeDirectory())/.cache/telex-servers/bin"])
    }

    private static func python(with modules: String, in first: [String]) async -> String? {
        for folder in first + folders {
            let path = "\(folder)/python3"
            guard FileManager.default.isExecutableFile(atPath: path) else { continue }
            let run = try? await Run.program(path, ["-c", "import \(modules)"])
            if run?.status == 0 { return path }
        }
        return nil
    }

    /// The path of a Python with Authlib and Flask; nil if there is none.
    static var python: String? {
        get async { await search.value }
    }

    /// The path of a Python with Django REST framework and simple JWT; nil if there is none.
    static var djangoPython: String? {
        get async { await djangoSearch.value }
    }

    /// The path of a Python with Kinto; nil if there is none.
    static var kintoPython: String? {
        get async { await kintoSearch.value }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests without nginx.
    static var withNginx: Self {
        .enabled(
            if: InstalledServers.nginx != nil, "nginx is not installed: apt-get install nginx-light"
        )
    }

    /// Skips tests without a Python with Kinto.
    static var withKinto: Self {
        .enabled("Kinto is not installed: run `.ci/servers`") {
            await InstalledServers.kintoPython != nil
        }
    }

    /// Skips tests without a Python with Django REST framework and simple JWT.
    static var withDjango: Self {
        .enabled(
            """
            Django REST framework or simple JWT is not installed: apt-get install \
            python3-djangorestframework python3-djangorestframework-simplejwt
            """
        ) {
            await InstalledServers.djangoPython != nil
        }
    }

    /// Skips tests without a program that Debian has in a package.
    static func with(_ program: String, of package: String) -> Self {
        .enabled(
            if: InstalledServers.program(program) != nil,
            "\(program) is not installed: apt-get install \(package)")
    }

    /// Skips tests without a Python with Authlib and Flask.
    static var withAuthlib: Self {
        .enabled(
            "Authlib and Flask are not installed: apt-get install python3-authlib python3-flask"
        ) {
            await InstalledServers.python != nil
        }
    }
}
