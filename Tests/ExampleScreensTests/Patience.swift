/// How long a wait may take: a safety net only, since all tests of screens share the main actor.
let patience = Duration.seconds(300)
