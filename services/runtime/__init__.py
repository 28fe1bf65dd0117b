"""What every process needs, and nothing about chess.

Job: settings, logs, metrics, health, start and end of a process, gRPC channels and servers, batches, the event
stream, and the translation between domain values and protobuf messages.
In: environment variables (`settings`), SIGTERM and SIGINT (`lifecycle`), Redis streams (`event_stream`).
Out: log lines, the admin port (/metrics, /healthz, /readyz), Redis messages.
Owns: names of Redis keys that more than one service uses; the table of gRPC statuses; the metrics all services have.
Never: decides anything about a game; imports a service.
When it breaks: a wrong setting ends the process at boot with the setting's name; /readyz shows a lost dependency.
"""
