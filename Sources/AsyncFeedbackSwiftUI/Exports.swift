@_exported public import AsyncFeedback
