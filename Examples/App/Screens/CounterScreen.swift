import AsyncFeedbackSwiftUI
import CounterSystem
package import SwiftUI

/// A number to step through, with a cheer at multiples of three.
package struct CounterScreen: View {
  @ViewContext(state: .init(), system: Counter()) private var context

  package init() {}

  package var body: some View {
    VStack {
      Text("\(context.count)").font(.largeTitle)
      // Written by a binding; the buttons send events. The feedback does not tell the difference.
      Stepper("Count", value: $context.count)
      HStack {
        Button("Subtract") { context.send(.decremented) }
        Button("Add") { context.send(.incremented) }
      }
      if let message = context.message { Text(message).foregroundStyle(.green) }
    }
    .running(_context)
  }
}
