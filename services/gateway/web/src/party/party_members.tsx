// Who is in a party, in line.
import type { VNode } from 'preact';
import type { Party } from '../net/wire.ts';
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
    <ol class="entries members" aria-label="Members">
      {members.map((member) => (
        <li key={member.id} class="card" data-testid="member">
          <span class="entry-text">
            <strong>{member.name}</strong>
            <span>
              {[
                member.id === me && 'you',
                member.id === host && 'host',
                member.spectator ? 'watches' : party.next.includes(member.id) && 'plays next',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
          {member.id === me && !closed && (
            <button type="button" onClick={() => act(() => joinParty(id, !member.spectator))}>
              {member.spectator ? 'Play, too' : 'Only watch'}
            </button>
          )}
          {isHost(party, me) && member.id !== me && !closed && (
            <span class="row">
              <button type="button" class="quiet" aria-label={`Make ${member.name} the host`} onClick={() => act(() => handParty(id, member.id))}>
                Make host
              </button>
              <button type="button" class="quiet" aria-label={`Send ${member.name} out`} onClick={() => act(() => removeFromParty(id, member.id))}>
                Send out
              </button>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
