import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Color } from '../../src/chess/color.ts';
import { placementText } from '../../src/chess/position.ts';
import type { GameInfo, PlayedMove } from '../../src/net/wire.ts';
import { fromFull, type Game } from '../../src/play/game.ts';
import { moverAt, positionsOf } from '../../src/play/history.ts';
import { FULL, START } from '../states.ts';

function game(variant: GameInfo['variant'], moves: [uci: string, san: string][], turn: Color, initialFen: string | null = null): Game {
  const played: PlayedMove[] = moves.map(([uci, san]) => ({ uci, san, clock: 0 }));
  const info = { ...FULL.info, variant, initialFen };
  return { ...fromFull({ ...FULL, info, moves: played }), state: { ...START, ply: moves.length, turn } };
}

test('each earlier position has its pieces, its hands and its side to move', () => {
  const moves: [string, string][] = [['e2e4', 'e4'], ['d7d5', 'd5'], ['e4d5', 'exd5'], ['d8d5', 'Qxd5'], ['P@e4', 'P@e4']];
  const crazyhouse = game('crazyhouse', moves, 'black');
  const positions = positionsOf(crazyhouse);
  assert.deepEqual([...positions[3]!.pockets.white], [['p', 1]]);
  assert.deepEqual([...positions[5]!.pockets.white], []);
  assert.equal(placementText(positions[5]!.placement), 'rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR');
  assert.deepEqual([0, 1, 4].map((ply) => moverAt(crazyhouse, ply)), ['white', 'black', 'white']);
});

test('checks are counted by the signs of the moves', () => {
  const moves: [string, string][] = [['e2e4', 'e4'], ['f7f6', 'f6'], ['d1h5', 'Qh5+'], ['g7g6', 'g6'], ['h5g6', 'Qxg6+']];
  assert.deepEqual(positionsOf(game('threeCheck', moves, 'black')).map((position) => position.checks?.white), [0, 0, 0, 1, 1, 2]);
});

test('a game from a position that Black begins is looked back at from there', () => {
  const fen = '4k3/8/8/8/8/8/8/4K3 b - - 0 1';
  const positions = positionsOf(game('standard', [['e8e7', 'Ke7']], 'white', fen));
  assert.equal(placementText(positions[1]!.placement), '8/4k3/8/8/8/8/8/4K3');
});
