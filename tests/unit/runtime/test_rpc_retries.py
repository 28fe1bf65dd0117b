"""Which calls a channel sends again by itself."""

import json

from services.channels import GAME_RETRIED, RULES_RETRIED
from services.pb.flagfall.v1.game_pb2 import DESCRIPTOR
from services.runtime.rpc import repeatable, service_config

RETRIED = {
    "GamesService": ["Fetch", "FetchLate", "Submit"],
    "SearchService": ["ListGames", "SearchGames"],
    "ComputerService": ["GetProgress"],
    "CorrespondenceService": ["GetConditionalMoves"],
    "ChatService": ["ListChat"],
    "InvitationsService": ["GetChallenge", "ListChallenges"],
    "LobbyService": ["ListSeeks"],
    "PartiesService": ["GetParty"],
    "PlayersService": ["GetPlayers", "ListEventsOfPlayers", "ListPlayerEvents", "ResolveTokens", "RevokeToken"],
    "RatingsService": ["GetRatingHistory"],
    "PersonalDataService": ["ListPersonalData"],
    "UpkeepService": ["ListComputerTurns", "ListDeadlines", "Sweep"],
}
"""Reads, and commands without a second effect. A method that is added here must be one of them."""
RULES = ["AdjudicateTimeout", "Judge", "Legal", "ParseMove", "ReadPgn", "StartPosition", "WritePgn"]


def test_what_may_be_sent_again_is_retried_under_both_names_and_nothing_else() -> None:
    wanted = []
    for service, methods in RETRIED.items():
        for method in methods:
            wanted += [f"/flagfall.v1.{service}/{method}", f"/flagfall.v1.GameService/{method}"]
    assert sorted(GAME_RETRIED) == sorted(wanted)


def test_all_questions_to_the_rules_are_retried() -> None:
    assert sorted(RULES_RETRIED) == [f"/flagfall.v1.RulesService/{method}" for method in RULES]


def test_a_method_without_a_level_is_not_repeatable() -> None:
    lobby = DESCRIPTOR.services_by_name["LobbyService"]
    assert repeatable([lobby]) == ["/flagfall.v1.LobbyService/ListSeeks"]
    assert repeatable([]) == []


def test_a_channel_is_told_the_paths() -> None:
    config = json.loads(service_config(["/a.B/C", "/a.D/E"]))
    assert config["loadBalancingConfig"] == [{"round_robin": {}}]
    (retried,) = config["methodConfig"]
    assert retried["name"] == [{"service": "a.B", "method": "C"}, {"service": "a.D", "method": "E"}]
    assert retried["retryPolicy"]["retryableStatusCodes"] == ["UNAVAILABLE"]
    assert json.loads(service_config([]))["methodConfig"] == []
