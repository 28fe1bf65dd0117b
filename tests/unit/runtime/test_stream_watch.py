"""When a reader of streams must believe that it has missed something."""

import pytest

from services.runtime.stream_watch import Place, Stream, lost, passed, put_right


def stream(added: int, left: int) -> Stream:
    """A stream whose entries have the ids 1-0, 2-0 and so on, the oldest of them trimmed."""
    first = f"{added - left + 1}-0" if left else None
    return Stream(Place(f"{added}-0", added), first, added - left)


def at(number: int) -> Place:
    """The place of an entry of it."""
    return Place(f"{number}-0", number)


@pytest.mark.parametrize(
    ("before", "now", "seen", "why"),
    [
        (at(0), at(0), stream(0, 0), None),
        (at(0), at(3), stream(3, 3), None),  # a stream of few entries, and a place before the first
        (at(0), at(2), stream(3, 3), None),
        (at(100), at(100), stream(100, 20), None),  # all that is gone had been read
        (at(80), at(90), stream(100, 20), None),
        (at(79), at(79), stream(100, 20), "trimmed"),
        (at(79), at(100), stream(100, 20), "trimmed"),  # it may have been trimmed before it was read
        (at(50), at(50), stream(100, 0), "trimmed"),
        (at(100), at(100), stream(100, 0), None),
        (at(10), at(10), stream(3, 3), "rewound"),  # set back, or made anew
        (at(10), Place("3-0", 10), stream(3, 3), "rewound"),
        (at(10), Place("200-0", 11), Stream(Place("200-0", 150), "51-0", 0), "skipped"),
        (Place("5-0", None), Place("9-0", None), stream(100, 20), None),  # a group that has lost count
        (Place("5-0", None), Place("101-0", None), stream(100, 20), "rewound"),
        (Place("9-0", 0), Place("10-0", 0), stream(10, 10), "skipped"),
    ],
)
def test_what_is_doubted(before: Place, now: Place, seen: Stream, why: str | None) -> None:
    assert lost(seen, before, now) == why


@pytest.mark.parametrize(
    ("place", "ids", "count"),
    [
        (at(3), ["4-0", "5-0"], None),  # not there yet
        (at(3), [], None),
        (at(10), ["11-0"], None),  # it was there before
        (at(3), ["9-0", "10-0"], 5),  # 4 to 8 are missing
        (at(8), ["9-0", "10-0"], 10),
        (at(8), ["9-0", "10-0", "11-0", "12-0"], 10),
        (at(8), ["11-0"], 8),  # it was gone before it was read
    ],
)
def test_a_checkpoint_is_passed_with_its_count(place: Place, ids: list[str], count: int | None) -> None:
    assert passed(at(10), place, ids) == count


def test_ids_are_numbers() -> None:
    seen = Stream(Place("1000-10", 7), "999-0", 0)
    assert lost(seen, Place("1000-9", 6), Place("1000-9", 6)) is None
    assert lost(seen, Place("1000-11", 7), Place("1000-11", 7)) == "rewound"
    assert lost(seen, Place("999-99", 6), Place("999-99", 6)) is None


@pytest.mark.parametrize(
    ("place", "right"),
    [
        (Place("50-0", 50), Place("50-0", 80)),  # goes on with the oldest that is left
        (Place("50-0", None), Place("50-0", 80)),
        (Place("90-0", 12), Place("90-0", None)),  # the count can be known again at the end
        (Place("100-0", 12), Place("100-0", 100)),
        (Place("400-0", 400), Place("100-0", 100)),
    ],
)
def test_a_place_is_put_right(place: Place, right: Place) -> None:
    seen = stream(100, 20)
    assert put_right(seen, place) == right
    assert lost(seen, right, right) is None


def test_a_place_in_a_stream_without_entries_is_put_right() -> None:
    assert put_right(stream(100, 0), Place("50-0", 50)) == Place("50-0", 100)
