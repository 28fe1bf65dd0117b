"""Several of everything: hosts, replicas, failovers, poolers under play. `make scale-test`, parts of it as root.

networks          hosts of their own, as network namespaces, with a name server whose answers change
names             that name server
rpc_server        a server of the project's kind, with nothing behind it
rpc_caller        a client of the project's kind, which calls and tells what became of it
sentinels         a primary, its replica and three sentinels
poolers           a PgBouncer that may be restarted
play              games of tests/chaos on a stack of several replicas of each service
"""
