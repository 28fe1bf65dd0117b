// The two chat rooms of a game: the players' and the spectators'.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { accountOrGuest } from '../net/account.ts';
import type { Chat as KeptChat } from '../net/rest.gen.ts';
import { call } from '../net/rest.ts';
import { isImported, type Room } from '../net/wire.ts';
import { problemText } from '../words/problem.ts';
import { say } from '../words/say.ts';
import { levelOf, type Game } from './game.ts';
import type { GameSession, SessionView } from './game_session.ts';

const chatLines = (gameId: string): Promise<KeptChat> =>
  call('GET /api/flagfall/games/{game_id}/chat', { of: { game_id: gameId } });

/** The longest line that is taken. */
export const LINE_CHARS_MAX = 140;

const roomName = (room: Room): string => say(room === 'player' ? 'play.players' : 'play.spectators');

/** The rooms that this viewer may read. */
export function roomsOf(game: Game): readonly Room[] {
  if (!game.you) return ['spectator'];
  if (levelOf(game)) return [];
  return game.state.status === 'started' ? ['player'] : ['player', 'spectator'];
}

export function Chat({ session, view, game }: { session: GameSession; view: SessionView; game: Game }): VNode | null {
  const rooms = roomsOf(game);
  const [wanted, setWanted] = useState<Room>('player');
  const [text, setText] = useState('');
  const room = rooms.includes(wanted) ? wanted : rooms[0];
  const lines = room ? view.company.chat[room] : [];
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!room || isImported(game.info)) return;
    void chatLines(game.id).then(
      (heard) => session.heardBefore(heard.room, heard.lines),
      () => undefined,
    );
  }, [game.id, game.you]);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, room]);

  if (!room || isImported(game.info)) return null;

  const send = (): void => {
    const line = text.trim();
    if (!line) return;
    if (session.say(room, line)) setText('');
    else session.tellRefusal(say('play.noConnection'));
  };
  const comeIn = async (): Promise<void> => {
    try {
      await accountOrGuest(view.player);
      session.restart();
    } catch (error) {
      session.tellRefusal(problemText(error));
    }
  };

  return (
    <section class="card chat" aria-label={say('play.chat', { room: roomName(room) })} data-testid="chat">
      {rooms.length > 1 && (
        <div class="row" role="group" aria-label={say('play.room')}>
          {rooms.map((name) => (
            <button key={name} type="button" class="quiet" aria-pressed={name === room} onClick={() => setWanted(name)}>
              {roomName(name)}
            </button>
          ))}
        </div>
      )}
      {lines.length > 0 && (
        <div class="lines" ref={box} role="log" aria-label={say('play.lines', { room: roomName(room) })} tabIndex={0}>
          <ol>
            {lines.map((line) => (
              <li key={`${line.at} ${line.by.id} ${line.text}`}>
                <strong>{line.by.name}</strong> {line.text}
              </li>
            ))}
          </ol>
        </div>
      )}
      {view.player ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <input
            aria-label={say(room === 'player' ? 'play.sayToOpponent' : 'play.sayToSpectators')}
            placeholder={say('play.saySomething')}
            autoComplete="off"
            maxLength={LINE_CHARS_MAX}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit">{say('play.send')}</button>
        </form>
      ) : (
        <button type="button" class="quiet" onClick={() => void comeIn()}>
          {say('play.chatAsGuest')}
        </button>
      )}
    </section>
  );
}
