"""The gateway: the only part that people and bots talk to.

Job: the web page, the public HTTP API, streams of lines and WebSockets; who somebody is; how often they may ask.
In: HTTP and WebSocket from anywhere (`app`), messages of Redis for what somebody here watches (`hub`).
Out: gRPC to the game service (`game_client`), in batches.
Owns: nothing that lasts. Sessions, held games and remembered tokens are gone with the process, and made anew.
Never: opens the database, judges a move, decides who won, waits on Redis before it answers a command.
When it breaks: clients connect to another gateway and name the last version they saw; a command whose answer was lost
is sent again with its id. Without Redis games go on, seen a second later; without the game service it answers 503.
"""
