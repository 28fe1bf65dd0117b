// The REST calls of a party.
import type { Operations } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';
import type { Party } from '../net/wire.ts';

/** What a host may set; what is left out stays as it is. */
export type WantedSettings = Operations['POST /api/flagfall/parties/{party_id}/settings']['body'];

/** A party; null when there is none by this id. */
export const party = async (id: string): Promise<Party | null> => {
  try {
    return await call('GET /api/flagfall/parties/{party_id}', { of: { party_id: id } });
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};

export const makeParty = (): Promise<Party> => call('POST /api/flagfall/parties');

export const joinParty = (id: string, spectator: boolean): Promise<Party> =>
  call('POST /api/flagfall/parties/{party_id}/join', { of: { party_id: id }, body: { spectator } });

export const leaveParty = (id: string): Promise<Party> =>
  call('POST /api/flagfall/parties/{party_id}/leave', { of: { party_id: id } });

export const setParty = (id: string, settings: WantedSettings): Promise<Party> =>
  call('POST /api/flagfall/parties/{party_id}/settings', { of: { party_id: id }, body: settings });

/** Begin the next game; `game` of the answer is it. */
export const startParty = (id: string): Promise<Party> =>
  call('POST /api/flagfall/parties/{party_id}/start', { of: { party_id: id } });

export const removeFromParty = (id: string, player: string): Promise<Party> =>
  call('POST /api/flagfall/parties/{party_id}/remove', { of: { party_id: id }, body: { player } });

export const handParty = (id: string, player: string): Promise<Party> =>
  call('POST /api/flagfall/parties/{party_id}/host', { of: { party_id: id }, body: { player } });

export const closeParty = (id: string): Promise<Party> =>
  call('POST /api/flagfall/parties/{party_id}/close', { of: { party_id: id } });
