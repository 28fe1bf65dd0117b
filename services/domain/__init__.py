"""Pure values that every service shares.

Job: say what a colour, a time control, a running clock, a rule set, an outcome and a refusal are.
In, Out: values only. Every function takes what it needs, the time included, and returns a value.
Owns: the arithmetic of clocks and deadlines; the stable codes of refusals.
Never: reads a clock, draws a random number, logs, waits, or knows of protobuf, JSON or a store.
When it breaks: a wrong argument is a ValueError of the caller's making; input of players never gets here unparsed.
"""
