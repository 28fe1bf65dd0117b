// The lobby: who looks for an opponent, and the invitations that wait, of both directions.
import type { VNode } from 'preact';
import { other } from '../chess/color.ts';
import { rulesOf } from '../chess/rule_sets.ts';
import { variantOf } from '../chess/variants.ts';
import { Answer } from '../invite/answer.tsx';
import { cancel, type Challenge } from '../invite/challenges.ts';
import { challengeTime } from '../invite/terms.ts';
import { accountOrGuest, type Account } from '../net/account.ts';
import { goTo } from '../ui/go.ts';
import { problemText } from '../words/problem.ts';
import { ruleSetName, variantName } from '../words/rule_words.ts';
import { say } from '../words/say.ts';
import { ratedText, timeControlText } from '../words/wording.ts';
import { acceptSeek, cancelSeek, type Seek } from './rest_lobby.ts';

type Offered = Pick<Challenge, 'timeControl' | 'variant' | 'ruleSet' | 'ruleSetFields' | 'rated' | 'color'>;

/** The terms in a line. */
export function offerText(offered: Offered): string {
  return [
    timeControlText(challengeTime(offered)),
    variantName(variantOf(offered.variant.key)),
    ruleSetName(rulesOf(offered.ruleSet, offered.ruleSetFields)),
    ratedText(offered.rated),
  ].join(' · ');
}

/** The colour that is left for the player who accepts. */
const leftColour = (color: Challenge['color']): string =>
  color === 'random' ? '' : ` · ${say('lobby.youPlay', { side: other(color) })}`;

function invites({ challenger, rematchOf, counterTo }: Challenge): string {
  const name = challenger?.name ?? say('invite.somebody');
  if (rematchOf) return say('invite.wantsRematch', { name });
  return counterTo ? say('invite.offersOtherTerms', { name }) : say('lobby.invitesYou', { name });
}

const takeBackLabel = ({ destUser }: Challenge): string =>
  destUser ? say('lobby.takeInvitationBack', { name: destUser.name }) : say('lobby.takeLinkBack');

interface LobbyProps {
  me: Account | null | undefined;
  seeks: readonly Seek[];
  onProblem(text: string): void;
  onChange(): void;
}

export function Lobby({ me, seeks, onProblem, onChange }: LobbyProps): VNode | null {
  if (seeks.length === 0) return null;
  const attempt = async (what: () => Promise<void>): Promise<void> => {
    onProblem('');
    try {
      await what();
    } catch (error) {
      onProblem(problemText(error));
      onChange();
    }
  };
  const take = (seek: Seek): Promise<void> =>
    attempt(async () => {
      await accountOrGuest(me);
      const { gameId } = await acceptSeek(seek.id);
      goTo(`/${gameId}`);
    });
  const stop = (seek: Seek): Promise<void> =>
    attempt(async () => {
      await cancelSeek(seek.id);
      onChange();
    });
  return (
    <section class="lobby" aria-labelledby="lobby-title" data-testid="lobby">
      <h2 id="lobby-title">{say('lobby.lobby')}</h2>
      <ul class="entries">
        {seeks.map((seek) => (
          <li key={seek.id} class="card">
            <span class="entry-text">
              <strong>
                {seek.mine ? say('lobby.you') : seek.player.name} {seek.player.rating}
              </strong>
              <span>
                {offerText(seek)}
                {!seek.mine && leftColour(seek.color)}
                {seek.ratingRange && ` · ${say('lobby.ratings', { range: seek.ratingRange })}`}
              </span>
            </span>
            {seek.mine ? (
              <button type="button" aria-label={say('lobby.takeSearchBack')} onClick={() => void stop(seek)}>
                {say('lobby.cancel')}
              </button>
            ) : (
              <button
                type="button"
                class="primary"
                aria-label={say('lobby.playAgainst', { name: seek.player.name })}
                onClick={() => void take(seek)}
              >
                {say('lobby.play')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface InvitationsProps {
  me: Account | null | undefined;
  incoming: readonly Challenge[];
  own: readonly Challenge[];
  onProblem(text: string): void;
  onChange(): void;
}

export function Invitations({ me, incoming, own, onProblem, onChange }: InvitationsProps): VNode | null {
  if (incoming.length + own.length === 0) return null;
  const told = (error: unknown): void => onProblem(problemText(error));
  const takeBack = async (challenge: Challenge): Promise<void> => {
    try {
      await cancel(challenge.id);
    } catch (error) {
      told(error);
    }
    onChange();
  };
  return (
    <section class="lobby" aria-labelledby="invitations-title" data-testid="invitations">
      <h2 id="invitations-title">{say('lobby.invitations')}</h2>
      <ul class="entries">
        {incoming.map((challenge) => (
          <li key={challenge.id} class="card tall">
            <span class="entry-text">
              <strong>{invites(challenge)}</strong>
              <span>
                {offerText(challenge)}
                {leftColour(challenge.color)}
              </span>
            </span>
            <Answer
              challenge={challenge}
              hasAccount={Boolean(me && !me.guest)}
              onProblem={told}
              onDone={(accepted) => (accepted ? goTo(`/${challenge.id}`) : onChange())}
            />
          </li>
        ))}
        {own.map((challenge) => (
          <li key={challenge.id} class="card">
            <span class="entry-text">
              <strong>
                <a href={`/${challenge.id}`}>
                  {challenge.destUser ? say('lobby.youInvite', { name: challenge.destUser.name }) : say('lobby.yourLink')}
                </a>
              </strong>
              <span>{offerText(challenge)}</span>
            </span>
            <button type="button" aria-label={takeBackLabel(challenge)} onClick={() => void takeBack(challenge)}>
              {say('lobby.cancel')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
