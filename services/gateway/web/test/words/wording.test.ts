import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameState, TimeControl } from '../../src/net/wire.ts';
import {
  awayText,
  ending,
  ratingText,
  signed,
  speedName,
  spokenMove,
  termTexts,
  timeControlSentence,
  timeControlText,
} from '../../src/words/wording.ts';
import { AFTER_E5, FULL } from '../states.ts';

test('every end has its own true reason', () => {
  const ended = (change: Partial<GameState>): string => {
    const end = ending({ ...AFTER_E5, status: 'ended', ...change });
    return `${end?.headline} | ${end?.reason}`;
  };
  const rows: [Partial<GameState>, string][] = [
    [{ winner: 'black', reason: 'checkmate' }, 'Black wins | Checkmate.'],
    [{ winner: 'black', reason: 'resignation' }, 'Black wins | White resigned.'],
    [{ winner: 'black', reason: 'flag' }, 'Black wins | White ran out of time.'],
    [{ reason: 'flag' }, 'Draw | White ran out of time, but Black could not win any more.'],
    [{ reason: 'resignation' }, 'Draw | One side resigned, but the other could not win any more.'],
    [{ reason: 'deadPosition' }, 'Draw | Neither side can win any more.'],
    [{ reason: 'bareKing' }, 'Draw | Both sides have nothing left but the king.'],
    [{ winner: 'black', reason: 'bareKing' }, 'Black wins | White has nothing left but the king.'],
    [{ winner: 'black', reason: 'stalemate' }, 'Black wins | White has no legal move, and that loses here.'],
    [{ winner: 'white', reason: 'stalemate' }, 'White wins | White has no legal move, and that wins here.'],
    [{ winner: 'black', reason: 'thirdCheck' }, 'Black wins | Black gave the third check.'],
    [{ winner: 'black', reason: 'hill' }, 'Black wins | Black’s king stands on the hill.'],
    [{ winner: 'black', reason: 'explosion' }, 'Black wins | White’s king was blown up.'],
    [{ winner: 'white', reason: 'race' }, 'White wins | White’s king won the race.'],
    [{ reason: 'race' }, 'Draw | Both kings have arrived.'],
    [{ winner: 'black', reason: 'absence' }, 'Black wins | White had left the game.'],
    [{ reason: 'absence' }, 'Draw | A player had left, and the other took a draw.'],
    [{ status: 'aborted', reason: 'abandoned' }, 'Game aborted | Both players had left.'],
    [{ winner: 'black', reason: 'unknown' }, 'Black wins | The file does not say why.'],
    [{ reason: 'unknown' }, 'Draw | The file does not say why.'],
    [{ winner: 'black', reason: 'expiry' }, 'Black wins | White’s time for the move passed.'],
    [{ reason: 'stalemate' }, 'Draw | Stalemate: White has no legal move and is not in check.'],
    [{ reason: 'repetition' }, 'Draw | The same position was repeated.'],
    [{ reason: 'agreement' }, 'Draw | The players agreed on a draw.'],
    [
      { reason: 'moveCount', fen: '8/8/8/8/8/8/8/K6k w - - 150 99' },
      'Draw | 75 moves of each side without a capture or a pawn move.',
    ],
    [
      { reason: 'moveCount', fen: '8/8/8/8/8/8/8/K6k w - - 3+2 100 99' },
      'Draw | 50 moves of each side without a capture or a pawn move.',
    ],
    [
      { status: 'aborted', reason: 'noFirstMove' },
      'Game aborted | White made no first move in time.',
    ],
  ];
  for (const [change, wanted] of rows) assert.equal(ended(change), wanted);
  assert.equal(ending(AFTER_E5), null);
});

test('speeds have names, and an unknown one keeps its key', () => {
  assert.equal(speedName('ultraBullet'), 'ultrabullet');
  assert.equal(speedName('glacial'), 'glacial');
});

test('moves can be said aloud', () => {
  const rows: [string, string][] = [
    ['Nxf3+', 'knight takes f 3, check'],
    ['O-O-O', 'castles queenside'],
    ['O-O#', 'castles kingside, checkmate'],
    ['bxa8=Q', 'b takes a 8 promotes to queen'],
  ];
  for (const [san, wanted] of rows) assert.equal(spokenMove(san), wanted);
  assert.equal(spokenMove('a8=Q', 'shatranj'), 'a 8 promotes to firz');
  assert.equal(spokenMove('Bxf4', 'chaturanga'), 'elephant takes f 4');
  assert.equal(spokenMove('N@f3', 'crazyhouse'), 'knight dropped on f 3');
  assert.equal(spokenMove('Nxf7#', 'atomic'), 'knight takes f 7, and wins');
});

test('terms are short and also a sentence', () => {
  const rows: [TimeControl, string, string][] = [
    [{ type: 'clock', initial: 600_000, increment: 5_000 }, '10 + 5', '10 minutes for each side, 5 s more with each move'],
    [{ type: 'clock', initial: 90_000, increment: 0 }, '1½ + 0', '90 seconds for each side'],
    [{ type: 'perMove', turn: 30_000 }, '30 s a move', '30 seconds for each move'],
    [{ type: 'correspondence', days: 3 }, '3 days a move', '3 days for each move'],
    [{ type: 'unlimited' }, 'Untimed', 'No time limit'],
  ];
  for (const [control, short, long] of rows) {
    assert.equal(timeControlText(control), short);
    assert.equal(timeControlSentence(control), long);
  }
});

test('an imported game has no terms but that it is imported', () => {
  const played = { ...FULL.info, timeControl: { type: 'unlimited' } } as const;
  assert.deepEqual(termTexts(played), ['Untimed', 'unrated']);
  assert.deepEqual(termTexts({ ...played, source: 'import' }), ['Imported']);
});

test('ratings, their changes and absences are short', () => {
  assert.equal(ratingText({ id: 'a', name: 'A', rating: 1512 }), '1512');
  assert.equal(ratingText({ id: 'a', name: 'A', rating: 1500, provisional: true }), '1500?');
  assert.equal(ratingText({ id: 'a', name: 'A' }), '');
  assert.deepEqual([8, -3, 0].map(signed), ['+8', '−3', '±0']);
  assert.equal(awayText('A', { times: 1, ms: 7_400 }), 'A was away once, 7 s.');
  assert.equal(awayText('A', { times: 2, ms: 40_000 }), 'A was away twice, 40 s altogether.');
  assert.equal(awayText('A', { times: 3, ms: 240_000 }), 'A was away 3 times, 4 minutes altogether.');
});
