/// A program of screens.
@MainActor @preconcurrency
public protocol App {
  /// What the program is made of.
  associatedtype Body: Scene

  /// What the program is made of.
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }

  /// Makes the program.
  @MainActor @preconcurrency init()
}

extension App {
  /// Does nothing: there is no screen here.
  @MainActor public static func main() {}
}

/// A part of a program.
@MainActor @preconcurrency
public protocol Scene {}

/// Makes the body of a program.
@resultBuilder
public struct SceneBuilder {
  /// One scene.
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A kind of window.
public struct WindowGroup<Content: View>: Scene {
  /// Makes a kind of window with a content.
  public nonisolated init(@ViewBuilder makeContent: @escaping () -> Content) {}
}
