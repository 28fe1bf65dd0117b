"""`make chaos`: kills under play, and a checker that knows every acknowledged move.

facts        what is known of a game: its row, its events, what its clients did and saw
arithmetic   the checker's own clock: who has how much, when time is up, what an outage gives back
history      is a game's history whole and right? versions, the one end, moves, positions, clocks, flags
answers      is what the clients were told in the history, once, and is what they were refused rightly refused?
outages      is each outage in the database one that was there, once, and is each one that was there in it?
database     reads the facts straight from PostgreSQL
demands      was there anything to check?
player       a client of docs/protocol.md for one seat, which writes down all it did and saw
table        a place at which one game after the other is played
faults       what is done to the stack, by name
run          plays, breaks, waits until all go on, checks
report       the JSON line

The checks share no code with the services: they follow product.md and the architecture's guarantees.
"""
