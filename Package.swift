// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 mode, and no warning survives. SwiftPM drops warning control for
/// packages that are somebody's dependency (SE-0480), so that consumers never meet it.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// What Apple asks of a library that looks at the times of files: a statement why. Elsewhere it would
/// only have each executable carry a bundle, so there it is left out, by the machine that builds.
#if canImport(Darwin)
    let (privacyManifest, noPrivacyManifest): ([Resource], [String]) =
        ([.copy("PrivacyInfo.xcprivacy")], [])
#else
    let (privacyManifest, noPrivacyManifest): ([Resource], [String]) =
        ([], ["PrivacyInfo.xcprivacy"])
#endif

/// What new targets of apps have on (Xcode 26, "Approachable Concurrency"): what the documentation has
/// people write compiles with it.
let approachable: [SwiftSetting] = [
    "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
].map { .enableUpcomingFeature($0) }

/// What targets may have on besides: generated code compiles without a warning with all of it.
let upcoming: [SwiftSetting] =
    approachable
    + ["MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny"].map {
        .enableUpcomingFeature($0)
    }

/// A client whose code `telex` generated from `specs`, committed under `Generated`.
func client(_ name: String, _ features: [SwiftSetting] = []) -> Target {
    .target(
        name: name, dependencies: ["TelexRuntime", "TelexJSON"], path: "Generated/\(name)",
        swiftSettings: strict + features)
}

/// What only `TelexAsyncHTTPClient` and its tests are made of. Without the trait, SwiftPM does not even
/// fetch it.
let asyncHTTPClient: [Target.Dependency] = [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"),
    ("NIOHTTP1", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
    ("NIOHTTP2", "swift-nio-http2"), ("NIOHTTPCompression", "swift-nio-extras"),
].map { name, package in
    .product(name: name, package: package, condition: .when(traits: ["AsyncHTTPClient"]))
}

/// What only `TelexObservability` and its tests are made of. Without the trait, SwiftPM does not even
/// fetch it.
let observability = [
    ("Logging", "swift-log"), ("CoreMetrics", "swift-metrics"),
    ("Tracing", "swift-distributed-tracing"),
].map(observabilityProduct)

/// Where tests of it look what was written.
let observabilityInMemory = [
    ("InMemoryLogging", "swift-log"), ("MetricsTestKit", "swift-metrics"),
    ("InMemoryTracing", "swift-distributed-tracing"),
].map(observabilityProduct)

func observabilityProduct(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Observability"]))
}

let package = Package(
    name: "telex",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "telex", targets: ["telex"]),
        .plugin(name: "TelexBuildPlugin", targets: ["TelexBuildPlugin"]),
        .plugin(name: "TelexCommand", targets: ["TelexCommand"]),
        .library(name: "TelexRuntime", targets: ["TelexRuntime", "TelexJSON"]),
        .library(name: "TelexURLSession", targets: ["TelexURLSession"]),
        .library(name: "TelexFoundation", targets: ["TelexFoundation"]),
        .library(name: "TelexTemplater", targets: ["TelexTemplater"]),
        .library(name: "TelexOAuth", targets: ["TelexOAuth"]),
        .library(name: "TelexAsyncHTTPClient", targets: ["TelexAsyncHTTPClient"]),
        .library(name: "TelexObservability", targets: ["TelexObservability"]),
        .library(name: "TelexTesting", targets: ["TelexTesting"]),
    ],
    traits: [
        .trait(
            name: "AsyncHTTPClient",
            description: "The transport over AsyncHTTPClient, for servers; brings in SwiftNIO."),
        .trait(
            name: "Observability",
            description: "Listeners for swift-log, swift-metrics and swift-distributed-tracing."),
    ],
    dependencies: [
        // The command line: help, completion and errors that users know from every other Swift tool.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // The common currency for requests, replies and header fields between clients and transports.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        // With the trait `AsyncHTTPClient` alone: the HTTP client that Swift's servers run on. On Linux
        // it holds a slow reader's reply back, and keeps repeated header fields apart, as URLSession
        // does not.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // What that client speaks in: its buffers, event loops and connection errors…
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        // …its errors of trust…
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        // …the ends of its streams…
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
        // …and its limit of decompression.
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
        // With the trait `Observability` alone: the interfaces behind which apps on servers choose where
        // their logs…
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // …their metrics…
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // …and their traces go.
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        // Starts the processes of tests, of which some have thousands of files open: Foundation on Linux
        // crashes then. No library and no tool of ours is built with it.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        // How that library takes paths where they do not come with the system.
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    ],
    targets: [
        // MARK: Build time
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .target(name: "SpecDiagnostics", swiftSettings: strict),
        .target(
            name: "SpecSyntax",
            dependencies: ["SpecDiagnostics", "SpecIR", "SpecTemplateRules", "CLibYAML"],
            swiftSettings: strict),
        .target(name: "SpecIR", dependencies: ["SpecTemplateRules"], swiftSettings: strict),
        .target(
            name: "SpecSemantics",
            dependencies: ["SpecSyntax", "SpecIR", "SpecSecretNames", "SpecTemplateRules"],
            swiftSettings: strict),
        .target(name: "SwiftEmitter", dependencies: ["SpecIR"], swiftSettings: strict),
        .target(
            name: "SpecImport",
            dependencies: [
                "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR", "TelexCompiler",
            ],
            swiftSettings: strict),
        .target(
            name: "SpecExport",
            dependencies: [
                "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR", "SpecImport",
            ],
            swiftSettings: strict),
        .target(
            name: "SpecComparison",
            dependencies: [
                "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR", "SwiftEmitter",
            ],
            swiftSettings: strict),
        .target(
            name: "SpecFormatting", dependencies: ["SpecDiagnostics", "SpecSyntax"],
            swiftSettings: strict),
        .target(
            name: "TelexCompiler",
            dependencies: [
                "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR", "SwiftEmitter",
            ],
            swiftSettings: strict),
        .target(
            name: "SpecInterpreter",
            dependencies: [
                "SpecIR", "TelexJSON", "TelexValues", "TelexTemplates", "TelexRequests",
                "TelexInspection",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "SpecDrift",
            dependencies: [
                "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR", "SpecTemplateRules",
                "SpecSecretNames", "SpecImport", "SpecComparison", "SpecFormatting",
                "SpecInterpreter", "TelexCompiler", "TelexJSON",
            ],
            swiftSettings: strict),
        .target(
            name: "SpecLanguageServer",
            dependencies: [
                "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR", "SpecTemplateRules",
                "TelexCompiler", "SwiftEmitter", "SpecFormatting",
            ],
            swiftSettings: strict),
        .target(
            name: "SpecMock",
            dependencies: [
                "TelexCompiler", "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR",
                "SpecInterpreter", "TelexTemplates", "TelexTransport", "TelexScheduling",
                "TelexValues", "TelexJSON", "TelexTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "SpecCall",
            dependencies: [
                "SpecDiagnostics", "SpecIR", "SpecInterpreter", "TelexInspection", "TelexJSON",
                "TelexRequests", "TelexRuntime", "TelexTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "TelexInspector",
            dependencies: [
                "TelexTesting", "TelexInspection", "TelexTransport", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            resources: ["html", "css", "js"].map { .embedInCode("Page/page.\($0)") },
            swiftSettings: strict),
        .executableTarget(
            name: "telex",
            dependencies: [
                "SpecCall", "SpecMock", "TelexRuntime", "TelexURLSession", "TelexTemplater",
                "SpecLanguageServer", "TelexCompiler", "SpecDiagnostics", "SpecSyntax",
                "SpecSemantics", "SpecIR", "SpecImport", "SpecExport", "SpecComparison",
                "SpecFormatting", "SpecSecretNames", "SpecInterpreter", "SpecDrift",
                "SpecTemplateRules", "TelexTemplates", "TelexJSON", "TelexInspector",
                "TelexTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The tool of the build plugin: `telex generate`, of the same files through a link. Xcode
        // archives an app for Mac Catalyst only if no target is in the app and in the tool of a
        // plugin ("Multiple commands produce …"), and the rest of `telex` uses some of the run time.
        .executableTarget(
            name: "telex-generate",
            dependencies: [
                "TelexCompiler", "SpecDiagnostics", "SpecIR",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: [
                "Serving", "Templates", "Commands/Breaking.swift", "Commands/CallCommand.swift",
                "Commands/Check.swift", "Commands/Drift.swift", "Commands/Dump.swift",
                "Commands/Explain.swift", "Commands/Export.swift", "Commands/Fmt.swift",
                "Commands/Import.swift", "Commands/ImportOptions.swift", "Commands/Inspect.swift",
                "Commands/LanguageServerCommand.swift", "Commands/Mock.swift", "Commands/New.swift",
                "Commands/Schema.swift", "Commands/TemplateAdd.swift",
                "Commands/TemplateCommand.swift", "Commands/TemplateFromHAR.swift",
                "Reading/DescriptionFolder.swift", "Reading/GitRevision.swift",
                "Reading/SpecRoots.swift", "Showing/CodePage.swift", "Showing/TreeText.swift",
                "Writing/EditorSchema.swift", "Writing/ImportedFolder.swift",
                "Writing/InferredSpec.swift", "Writing/SpecFiles.swift",
                "Writing/StarterSpec.swift",
            ],
            swiftSettings: strict + [.define("TELEX_PLUGIN")]),
        .plugin(
            name: "TelexBuildPlugin", capability: .buildTool(), dependencies: ["telex-generate"],
            path: "Sources/Plugins/TelexBuildPlugin"),
        .plugin(
            name: "TelexCommand",
            capability: .command(
                intent: .custom(verb: "telex", description: "Compile YAML API specs to Swift."),
                permissions: [
                    .writeToPackageDirectory(reason: "to write the generated Swift files")
                ]),
            dependencies: ["telex"],
            path: "Sources/Plugins/TelexCommand"),

        // MARK: What both halves have to agree on
        // Each half has a target of its own, of the same files through a link: see `telex-generate`.
        .target(name: "SecretNames", swiftSettings: strict),
        .target(name: "SpecSecretNames", swiftSettings: strict),
        .target(name: "TemplateRules", swiftSettings: strict),
        .target(name: "SpecTemplateRules", swiftSettings: strict),

        // MARK: Run time
        .target(name: "CScan"),
        .target(name: "TelexJSON", dependencies: ["CScan"], swiftSettings: strict),
        .target(
            name: "TelexTemplates", dependencies: ["TelexJSON", "TemplateRules", "SecretNames"],
            swiftSettings: strict),
        .target(name: "TelexValues", dependencies: ["TelexJSON"], swiftSettings: strict),
        .target(
            name: "TelexTransport",
            dependencies: [
                "TelexJSON", "TelexValues", "SecretNames",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: noPrivacyManifest, resources: privacyManifest, swiftSettings: strict),
        .target(name: "TelexScheduling", dependencies: ["CScan"], swiftSettings: strict),
        .target(
            name: "TelexCredentials",
            dependencies: [
                "TelexTransport", "TelexInspection", "TelexValues", "TelexJSON", "SecretNames",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: noPrivacyManifest, resources: privacyManifest, swiftSettings: strict),
        .target(
            name: "TelexDownloads",
            dependencies: [
                "TelexTransport", "TelexValues", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: noPrivacyManifest, resources: privacyManifest, swiftSettings: strict),
        .target(
            name: "TelexCache",
            dependencies: [
                "TelexTransport", "TelexValues", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: noPrivacyManifest, resources: privacyManifest, swiftSettings: strict),
        .target(
            name: "TelexInspection",
            dependencies: [
                "TelexTransport", "TelexValues", "TelexJSON", "SecretNames",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "TelexDiagnosis",
            dependencies: [
                "TelexTransport", "TelexScheduling", "TelexValues", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "TelexRequests",
            dependencies: [
                "TelexJSON", "TelexValues", "TelexTemplates", "TelexTransport", "TelexScheduling",
                "TelexCredentials", "TelexDownloads", "TelexInspection",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "TelexRuntime",
            dependencies: [
                "TelexJSON", "TelexValues", "TelexTemplates", "TelexTransport", "TelexScheduling",
                "TelexCredentials", "TelexRequests", "TelexDiagnosis", "TelexDownloads",
                "TelexCache", "TelexInspection", "SecretNames",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "TelexURLSession",
            dependencies: [
                "TelexTransport", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: noPrivacyManifest, resources: privacyManifest, swiftSettings: strict),
        .target(
            name: "TelexFoundation",
            dependencies: [
                "TelexRuntime", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .systemLibrary(
            // No `pkgConfig`: a `zlib.pc` of Homebrew would add the folders of one SDK to the builds
            // for all others.
            name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "TelexTemplater",
            dependencies: [
                "TelexTemplates", "TemplateRules", "TelexRuntime", "TelexInspection",
                "TelexTransport", "TelexJSON", "SecretNames", "CZlib",
            ],
            exclude: noPrivacyManifest, resources: privacyManifest, swiftSettings: strict),
        .target(
            name: "TelexOAuth", dependencies: ["TelexRuntime", "TelexTransport", "TelexJSON"],
            swiftSettings: strict),
        .target(
            name: "TelexAsyncHTTPClient",
            dependencies: [
                "TelexTransport", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + asyncHTTPClient,
            swiftSettings: strict),
        .target(
            name: "TelexObservability",
            dependencies: [
                "TelexRuntime", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + observability,
            swiftSettings: strict),
        .target(
            name: "TelexTesting",
            dependencies: [
                "TelexRuntime", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),

        // MARK: Generated clients
        client("VKClient"),
        client("InstagramClient"),
        client("BackendClient", upcoming),
        client("GalleryClient", upcoming),
        client("NotionClient", upcoming),
        client("TrackerClient", upcoming),
        client("RegistryClient"),
        client("KintoClient"),
        client("KintoStoreClient", upcoming),
        client("Aria2Client"),
        client("TransmissionClient"),
        client("BookshelfClient", upcoming),
        client("EtcdClient"),
        client("DocumentsClient"),

        // MARK: Executables that may import both halves
        .executableTarget(
            name: "demo",
            dependencies: [
                "TelexCompiler", "SpecDiagnostics", "SpecIR", "VKClient", "TelexURLSession",
                "TelexTesting",
            ],
            swiftSettings: strict),
        .target(name: "CAllocations"),
        .executableTarget(
            name: "telex-bench",
            dependencies: [
                "TelexJSON", "TelexTemplates", "TelexCompiler", "SpecImport", "SpecDiagnostics",
                "TelexRuntime", "TelexScheduling", "TelexTesting", "TelexURLSession",
                "DocumentsClient", "CAllocations",
                "EngineSimulation", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [
                "simdjson.cpp", "serde_json.rs", "msgspec.py",
            ].map { .embedInCode("JSON/Rivals/\($0)") },
            swiftSettings: strict),

        // MARK: Tests
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "VKClient", "BackendClient", "InstagramClient", "GalleryClient", "NotionClient",
                "TrackerClient", "demo", "TelexRuntime", "TelexTemplater",
                "TelexJSON", "TelexFoundation", "TelexTesting", "TelexURLSession",
            ],
            swiftSettings: strict + approachable),
        .testTarget(
            name: "SpecMockTests",
            dependencies: [
                "SpecMock", "SpecInterpreter", "SpecIR", "TelexCompiler", "TelexRuntime",
                "TelexTransport", "TelexTemplates", "TelexJSON", "TelexTesting", "TelexURLSession",
                "ProcessSupport",
                "Aria2Client", "BackendClient", "BookshelfClient", "EtcdClient", "GalleryClient",
                "NotionClient", "RegistryClient", "TrackerClient", "TransmissionClient", "VKClient",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        // Apart, since swift-subprocess builds for no phone, TV or watch: the tests without it do.
        .target(
            name: "ProcessSupport",
            dependencies: [
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/ProcessSupport", swiftSettings: strict),
        .testTarget(
            name: "TelexTemplatesTests",
            dependencies: ["TelexTemplates", "TemplateRules", "TelexJSON"],
            swiftSettings: strict),
        .testTarget(
            name: "TelexJSONTests", dependencies: ["TelexJSON", "CScan", "TestSupport"],
            swiftSettings: strict),
        .target(
            name: "EngineSimulation", dependencies: ["TelexScheduling"],
            path: "Tests/EngineSimulation", swiftSettings: strict),
        .target(
            name: "RuntimeTestSupport", dependencies: ["TelexRuntime", "TelexTesting"],
            path: "Tests/RuntimeTestSupport", swiftSettings: strict),
        .testTarget(
            name: "SpecCallTests",
            dependencies: [
                "SpecCall", "SpecDiagnostics", "SpecIR", "SpecInterpreter", "TelexCompiler",
                "TelexRuntime", "TelexTesting", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TelexCacheTests",
            dependencies: [
                "TelexCache", "TelexTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TelexRuntimeTests",
            dependencies: [
                "TestSupport", "RuntimeTestSupport", "TelexRuntime", "TelexScheduling",
                "TelexTransport", "TelexCredentials", "TelexRequests", "TelexDiagnosis",
                "TelexValues", "TelexJSON",
                "TelexDownloads", "TelexInspection", "TelexTesting", "EngineSimulation",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TelexFoundationTests",
            dependencies: [
                "RuntimeTestSupport", "TelexFoundation", "TelexRuntime", "TelexJSON",
                "TelexTesting",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "templater-process", dependencies: ["TelexTemplater", "TelexJSON"],
            path: "Tests/TemplaterProcess", swiftSettings: strict),
        .target(
            name: "TemplaterTestSupport", dependencies: ["TelexTemplater", "CZlib"],
            path: "Tests/TemplaterTestSupport", swiftSettings: strict),
        .testTarget(
            name: "TelexTemplaterTests",
            dependencies: [
                "TelexTemplater", "TelexRuntime", "TelexJSON", "TelexTesting",
                "RuntimeTestSupport", "TemplaterTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RuntimeProcessTests",
            dependencies: [
                "TelexRuntime", "TelexTemplater", "TelexTransport", "RuntimeTestSupport",
                "TemplaterTestSupport", "ProcessSupport", "templater-process",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TelexOAuthTests",
            dependencies: [
                "TelexOAuth", "TelexRuntime", "TelexJSON", "TelexTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "TelexURLSession", "TelexAsyncHTTPClient", "TelexTesting", "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + asyncHTTPClient,
            swiftSettings: strict),
        .testTarget(
            name: "RealServerTests",
            dependencies: [
                "ProcessSupport", "RuntimeTestSupport", "SpecImport", "SpecDiagnostics",
                "TelexCompiler", "TrackerClient", "KintoClient", "KintoStoreClient",
                "RegistryClient", "Aria2Client", "TransmissionClient", "BookshelfClient",
                "EtcdClient", "TelexRuntime", "TelexJSON", "TelexURLSession", "TelexOAuth",
                "TelexTesting",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Servers"], swiftSettings: strict),
        .testTarget(
            name: "TelexInspectorTests",
            dependencies: [
                "TelexInspector", "telex", "TelexTesting", "TelexRuntime", "TelexJSON",
                "GalleryClient",
                "TrackerClient", "ProcessSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Browser"], swiftSettings: strict),
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                "RuntimeTestSupport", "TelexObservability", "TelexRuntime", "TelexTesting",
                "TelexJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ] + observability + observabilityInMemory,
            swiftSettings: strict),
        .testTarget(
            name: "SpecSyntaxTests",
            dependencies: ["SpecSyntax", "SpecDiagnostics", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: strict),
        .testTarget(
            name: "SpecImportTests",
            dependencies: [
                "SpecImport", "SpecDiagnostics", "SpecSyntax", "TelexCompiler", "TestSupport",
                "ProcessSupport",
            ],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "SpecExportTests",
            dependencies: [
                "SpecExport", "SpecImport", "SpecDiagnostics", "SpecSyntax", "SpecIR",
                "TelexCompiler", "TestSupport", "ProcessSupport",
            ],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "SpecLanguageServerTests",
            dependencies: [
                "SpecLanguageServer", "SpecDiagnostics", "SpecIR", "TelexCompiler", "TelexJSON",
                "telex", "TestSupport", "ProcessSupport",
            ],
            exclude: ["Goldens", "Clients"], swiftSettings: strict),
        .testTarget(
            name: "SpecComparisonTests",
            dependencies: [
                "SpecComparison", "SpecDiagnostics", "SpecIR", "TelexCompiler", "SwiftEmitter",
                "TestSupport",
            ],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "SpecDriftTests",
            dependencies: [
                "SpecDrift", "SpecDiagnostics", "SpecIR", "SpecInterpreter", "TelexCompiler",
                "TelexJSON", "TestSupport",
            ],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "CompilerTests",
            dependencies: [
                "SpecDiagnostics", "SpecSyntax", "SpecSemantics", "SpecIR", "TelexCompiler",
                "TelexTemplates", "SpecTemplateRules", "SpecFormatting", "TestSupport",
                "ProcessSupport",
            ],
            exclude: ["Goldens"],
            swiftSettings: strict),
        .testTarget(
            name: "SwiftEmitterTests",
            dependencies: [
                "SwiftEmitter", "SpecComparison", "SpecExport", "SpecImport", "SpecDiagnostics",
                "SpecIR", "SpecSemantics", "TelexCompiler", "SpecTemplateRules",
                "SpecInterpreter", "TelexTemplates", "TelexRuntime", "TelexJSON", "VKClient",
                "GalleryClient", "KintoClient", "TrackerClient", "TestSupport",
                "ProcessSupport",
            ],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "ToolTests",
            dependencies: [
                "TestSupport", "ProcessSupport", "telex", "TelexCompiler", "SwiftEmitter", "SpecIR",
                "TelexTesting",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// The tests that need a trait are built with what they use alone: `.ci/run` names them.
if let tests = Context.environment["TELEX_TESTS"] {
    var names = tests.split(separator: ",").map(String.init)
    var next = 0
    while next < names.count {
        let target = package.targets.first { $0.name == names[next] }
        for case .byNameItem(let name, _) in target?.dependencies ?? []
        where !names.contains(name) { names.append(name) }
        next += 1
    }
    package.targets.removeAll { !names.contains($0.name) }
    package.products = []
}
