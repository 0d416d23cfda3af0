// swift-tools-version: 6.2
import PackageDescription

// With ASYNC_FEEDBACK_HOST=1 in the environment the package has the views, the example screens, and a module
// named SwiftUI that runs them without a screen, for tests on Linux. It needs a scratch path of its own: once
// such a module is built, every target could import it.
let isHosted = Context.environment["ASYNC_FEEDBACK_HOST"] == "1"

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
    .library(name: "AsyncFeedbackSwiftUI", targets: ["AsyncFeedbackSwiftUI"]),
    .library(name: "AsyncFeedbackTestSupport", targets: ["AsyncFeedbackTestSupport"]),
    .library(name: "ServerSentEvents", targets: ["ServerSentEvents"]),
    .executable(name: "counter", targets: ["counter"]),
    .executable(name: "todo", targets: ["todo"]),
    .executable(name: "paging", targets: ["paging"]),
    .executable(name: "ticker", targets: ["ticker"]),
  ],
  targets: [
    .target(name: "AsyncFeedback", swiftSettings: settings),
    .target(
      name: "AsyncFeedbackSwiftUI", dependencies: ["AsyncFeedback"], exclude: ["Skip"],
      swiftSettings: settings),
    .target(
      name: "AsyncFeedbackTestSupport", dependencies: ["AsyncFeedback"], swiftSettings: settings),
    .target(
      name: "ServerSentEvents", dependencies: ["AsyncFeedback"], swiftSettings: settings),
    .executableTarget(
      name: "benchmarks", dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport"],
      path: "Tests/Benchmarks",
      swiftSettings: settings),
    .testTarget(
      name: "AsyncFeedbackTests", dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AsyncFeedbackMainActorTests",
      dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    // Without the settings, as a module is that knows nothing of them.
    .testTarget(name: "AsyncFeedbackPlainTests", dependencies: ["AsyncFeedback"]),
    .testTarget(
      name: "AsyncFeedbackRetroactiveTests", dependencies: ["AsyncFeedback"],
      swiftSettings: settings),
    .testTarget(
      name: "AsyncFeedbackTestSupportTests",
      dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ServerSentEventsTests",
      dependencies: [
        "AsyncFeedback", "AsyncFeedbackTestSupport", "LoopbackServer", "ServerSentEvents",
      ],
      swiftSettings: settings),

    .target(
      name: "ExampleTerminal", dependencies: ["AsyncFeedback"], path: "Examples/Terminal",
      swiftSettings: settings),
    .target(
      name: "CounterSystem", dependencies: ["AsyncFeedback"], path: "Examples/Counter/System",
      swiftSettings: settings),
    .executableTarget(
      name: "counter", dependencies: ["AsyncFeedback", "CounterSystem", "ExampleTerminal"],
      path: "Examples/Counter/Program", swiftSettings: settings),
    .target(
      name: "TodoSystem", dependencies: ["AsyncFeedback"], path: "Examples/Todo/System",
      swiftSettings: settings),
    .executableTarget(
      name: "todo", dependencies: ["AsyncFeedback", "TodoSystem", "ExampleTerminal"],
      path: "Examples/Todo/Program", swiftSettings: settings),
    .target(
      name: "PagingSystem", dependencies: ["AsyncFeedback"], path: "Examples/Paging/System",
      swiftSettings: settings),
    .executableTarget(
      name: "paging", dependencies: ["AsyncFeedback", "PagingSystem", "ExampleTerminal"],
      path: "Examples/Paging/Program", swiftSettings: settings),
    .target(
      name: "TickerSystem", dependencies: ["AsyncFeedback", "ServerSentEvents"],
      path: "Examples/Ticker/System", swiftSettings: settings),
    .executableTarget(
      name: "ticker", dependencies: ["AsyncFeedback", "TickerSystem", "ExampleTerminal"],
      path: "Examples/Ticker/Program", swiftSettings: settings),
    .testTarget(
      name: "CounterTests", dependencies: ["AsyncFeedbackTestSupport", "CounterSystem"],
      swiftSettings: settings),
    .testTarget(
      name: "TodoTests", dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport", "TodoSystem"],
      swiftSettings: settings),
    .testTarget(
      name: "PagingTests",
      dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport", "PagingSystem"],
      swiftSettings: settings),
    .testTarget(
      name: "TickerTests",
      dependencies: [
        "AsyncFeedback", "AsyncFeedbackTestSupport", "LoopbackServer", "ServerSentEvents",
        "TickerSystem",
      ],
      swiftSettings: settings),
    .target(
      name: "LoopbackServer", dependencies: ["AsyncFeedback", "AsyncFeedbackTestSupport"],
      path: "Tests/LoopbackServer", swiftSettings: settings),
    .target(name: "ChildProcess", path: "Tests/ChildProcess"),
    .testTarget(
      name: "ExampleProgramTests",
      dependencies: [
        "ChildProcess", "ExampleTerminal", "LoopbackServer", "counter", "todo", "paging", "ticker",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Where there are no views, there is nothing of theirs to build.
#if os(macOS)
  let hasScreens = true
#else
  let hasScreens = isHosted
#endif

if isHosted {
  let kept = [
    "AsyncFeedback", "AsyncFeedbackSwiftUI", "AsyncFeedbackTestSupport", "ServerSentEvents",
    "CounterSystem", "TodoSystem", "PagingSystem", "TickerSystem",
  ]
  package.products = []
  package.targets.removeAll { !kept.contains($0.name) }
}

if hasScreens {
  package.targets += [
    .target(
      name: "ExampleScreens",
      dependencies: [
        "AsyncFeedbackSwiftUI", "CounterSystem", "PagingSystem", "TickerSystem", "TodoSystem",
      ],
      path: "Examples/App/Screens", swiftSettings: settings),
    .executableTarget(
      name: "ExampleApp",
      dependencies: [
        "AsyncFeedback", "ExampleScreens", "PagingSystem", "TickerSystem", "TodoSystem",
      ],
      path: "Examples/App/Program", swiftSettings: settings),
  ]
}

if isHosted {
  let viewTargets = ["AsyncFeedbackSwiftUI", "ExampleScreens", "ExampleApp"]
  for target in package.targets where viewTargets.contains(target.name) {
    target.dependencies.append("SwiftUI")
  }
  package.targets += [
    .target(name: "SwiftUI", path: "Tests/SwiftUIHost", swiftSettings: settings),
    .testTarget(
      name: "SwiftUIHostTests", dependencies: ["AsyncFeedbackTestSupport", "SwiftUI"],
      swiftSettings: settings),
    .testTarget(
      name: "AsyncFeedbackSwiftUITests",
      dependencies: [
        "AsyncFeedback", "AsyncFeedbackSwiftUI", "AsyncFeedbackTestSupport", "CounterSystem",
        "SwiftUI",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AsyncFeedbackSwiftUIMainActorTests",
      dependencies: ["AsyncFeedbackSwiftUI", "SwiftUI"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "ExampleScreensTests",
      dependencies: [
        "AsyncFeedback", "AsyncFeedbackTestSupport", "ExampleScreens", "PagingSystem", "SwiftUI",
        "TickerSystem", "TodoSystem",
      ],
      swiftSettings: settings),
  ]
}

// With SKIP_BRIDGE=1 in the environment, as Skip sets it when it builds for Android, the views are given to Skip.
// Without it the package has no dependencies at all.
if (Context.environment["SKIP_BRIDGE"] ?? "0") != "0" {
  package.dependencies += [
    .package(url: "https://source.skip.tools/skip.git", from: "1.6.1"),
    .package(url: "https://source.skip.tools/skip-fuse-ui.git", from: "1.0.0"),
  ]
  for target in package.targets where target.name == "AsyncFeedbackSwiftUI" {
    target.dependencies.append(.product(name: "SkipFuseUI", package: "skip-fuse-ui"))
    target.plugins = [.plugin(name: "skipstone", package: "skip")]
    // The plugin reads what is excluded otherwise.
    target.exclude = []
  }
  // What crosses the bridge has to be a dynamic library.
  package.products = package.products.map { product in
    guard let library = product as? Product.Library else { return product }
    return .library(name: library.name, type: .dynamic, targets: library.targets)
  }
}
