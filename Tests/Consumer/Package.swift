// swift-tools-version: 6.2
import PackageDescription

// A package that uses Telex as its users do: specs inside a target, compiled while it is built.
let package = Package(
    name: "Consumer",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "Shop", targets: ["Shop"]),
        .executable(name: "shopper", targets: ["shopper"]),
    ],
    dependencies: [.package(name: "telex", path: "../..")],
    targets: [
        .target(
            name: "Shop",
            dependencies: [.product(name: "TelexRuntime", package: "telex")],
            plugins: [.plugin(name: "TelexBuildPlugin", package: "telex")]),
        .executableTarget(
            name: "shopper",
            dependencies: ["Shop", .product(name: "TelexTesting", package: "telex")],
            path: "Sources/Shopper"),
    ]
)
