"""Pure values that every service shares.

Job: define a colour, a time control, a running clock, a rule set, an outcome and a refusal.
In, Out: values only. Every function takes all it needs as arguments, also the time, and returns a value.
Owns: the arithmetic of clocks and deadlines; the stable codes of refusals.
Never: reads a clock, draws a random number, logs, waits, or knows of protobuf, JSON or a store.
When it breaks: a wrong argument raises ValueError and is a bug of the caller; players' input is parsed before.
"""
