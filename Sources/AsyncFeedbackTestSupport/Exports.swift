// A test of a system names its types too, such as a policy or a feedback.
@_exported public import AsyncFeedback
