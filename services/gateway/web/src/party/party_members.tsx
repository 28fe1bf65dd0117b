// Who is in a party, in line.
import type { VNode } from 'preact';
import type { Party } from '../net/wire.ts';
import { say } from '../words/say.ts';
import { isHost } from './party.ts';
import { handParty, joinParty, removeFromParty } from './rest_party.ts';

interface PartyMembersProps {
  party: Party;
  me: string | undefined;
  act(what: () => Promise<Party>): void;
}

export function PartyMembers({ party, me, act }: PartyMembersProps): VNode {
  const { id, members, host, closed } = party;
  return (
    <ol class="entries members" aria-label={say('party.members')}>
      {members.map((member) => (
        <li key={member.id} class="card" data-testid="member">
          <span class="entry-text">
            <strong>{member.name}</strong>
            <span>
              {[
                member.id === me && say('party.isYou'),
                member.id === host && say('party.isHost'),
                member.spectator ? say('party.watches') : party.next.includes(member.id) && say('party.playsNext'),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
          {member.id === me && !closed && (
            <button type="button" onClick={() => act(() => joinParty(id, !member.spectator))}>
              {say(member.spectator ? 'party.playToo' : 'party.onlyWatch')}
            </button>
          )}
          {isHost(party, me) && member.id !== me && !closed && (
            <span class="row">
              <button
                type="button"
                class="quiet"
                aria-label={say('party.makeHostOf', { name: member.name })}
                onClick={() => act(() => handParty(id, member.id))}
              >
                {say('party.makeHost')}
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={say('party.sendOutOf', { name: member.name })}
                onClick={() => act(() => removeFromParty(id, member.id))}
              >
                {say('party.sendOut')}
              </button>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
