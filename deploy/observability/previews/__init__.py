"""Pictures of the boards from their own queries, since Grafana is not available where the boards are made.

__main__      `python -m deploy.observability.previews --prometheus URL --out FOLDER`
environment   matplotlib, locked, in an environment of its own
words         values, units and legends as text
painting      a panel of each kind
picture       a board
"""
