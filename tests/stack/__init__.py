"""What the tests start: real stores, databases of their own, whole Flagfalls.

background   an event loop in a thread, so that fixtures and tests of any kind can use the supervisor
components   what a machine may lack (Chromium, the conformance data) and how the tests say so
databases    a database for each test, copied from a migrated template
stores       PostgreSQL and Valkey for a test session
replicas     a whole Flagfall with several replicas of each service, for `make chaos`
running      a whole Flagfall that tests can look into, kill parts of and restart
tiers        `make test`
"""
