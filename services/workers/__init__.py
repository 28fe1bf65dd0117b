"""Work that takes longer than a request: the computer's moves, and sweeps that end expired games and invitations.

Job: when the computer is to move after an event, queue a task, find the move with an engine, and submit it like a
    player's move. Once a minute, call the game service to end what has expired.
In: events of all games, shared by all dispatchers through a consumer group (`event_group`); waiting turns, from the
    game service (`reconcile`); tasks from the broker (`celery_worker`).
Out: tasks (`celery_queue`); `Submit(Move)` and `Sweep` (`grpc_game`); the engine's name in Redis for the gateway.
Owns: the ten levels (`levels`), the engine processes (`engine_pool`), the queues `engine` and `sweep`, the task keys.
Never: decides whether a move is legal or a game is over (the game service does); uses `eta` or `countdown`; keeps data
    that it cannot get again.
When it breaks: a task may come twice or late, and then changes nothing. A dispatcher dies: another one claims the
    events it had read. A worker dies: the broker delivers its task again, and the dispatcher asks every few seconds
    for turns that wait too long. An engine stalls or dies: it is replaced; if that fails too, our own small search
    finds the move; /readyz of the worker and the gateway's health page name it. Redis or broker away: turns wait, none
    is lost.

Three processes: `dispatcher`, `celery` (a worker), `beat`. Any number of each may run side by side.
"""
