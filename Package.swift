// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "async-feedback",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "AsyncFeedback", targets: ["AsyncFeedback"]),
    .library(name: "AsyncFeedbackTestSupport", targets: ["AsyncFeedbackTestSupport"]),
  ],
  targets: [
    .target(name: "AsyncFeedback", swiftSettings: settings),
    .target(
      name: "AsyncFeedbackTestSupport", dependencies: ["AsyncFeedback"], swiftSettings: settings),
    .executableTarget(
      name: "benchmarks", dependencies: ["AsyncFeedback"], path: "Tests/Benchmarks",
      swiftSettings: settings),
    .testTarget(
      name: "AsyncFeedbackTests", dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AsyncFeedbackTestSupportTests",
      dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
