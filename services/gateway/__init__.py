"""The gateway: the only part to which people and bots connect.

Job: the web page, the public HTTP API, streams of lines and WebSockets; authentication; rate limits.
In: HTTP and WebSocket from anywhere (`app`), messages from Redis for its listeners (`hub`).
Out: gRPC to the game service (`game_client`), in batches.
Owns: nothing permanent. Sessions, held games and cached tokens are lost with the process, and can be made again.
Never: opens the database, judges a move, decides who won, waits for Redis before it answers a command.
When it fails: clients connect to another gateway and send the last version they saw. A command without an answer is
sent again with the same id. Without Redis games continue, with updates a second later. Without the game service the
gateway answers 503.
"""
