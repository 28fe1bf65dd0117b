// The REST calls of a party.
import type { Fields } from '../net/rest.gen.ts';
import { call, RestError } from '../net/rest.ts';
import type { Party } from '../net/wire.ts';

const PARTIES = '/api/flagfall/parties';

/** What a host may set; what is left out stays as it is. */
export type WantedSettings = Partial<Pick<Fields, 'turnLimit' | 'legalMarks' | 'swapColors' | 'variant' | 'ruleSet'>>;

type Change = Partial<Pick<Fields, 'spectator' | 'player'>> | WantedSettings;

/** A party; null when there is none by this id. */
export const party = async (id: string): Promise<Party | null> => {
  try {
    return (await call('GET', `${PARTIES}/${id}`)) as Party;
  } catch (error) {
    if (error instanceof RestError && error.status === 404) return null;
    throw error;
  }
};

export const makeParty = (): Promise<Party> => call('POST', PARTIES) as Promise<Party>;

const change = (id: string, what: string, fields?: Change): Promise<Party> =>
  call('POST', `${PARTIES}/${id}/${what}`, fields) as Promise<Party>;

export const joinParty = (id: string, spectator: boolean): Promise<Party> => change(id, 'join', { spectator });

export const leaveParty = (id: string): Promise<Party> => change(id, 'leave');

export const setParty = (id: string, settings: WantedSettings): Promise<Party> => change(id, 'settings', settings);

/** Begin the next game; `game` of the answer is it. */
export const startParty = (id: string): Promise<Party> => change(id, 'start');

export const removeFromParty = (id: string, player: string): Promise<Party> => change(id, 'remove', { player });

export const handParty = (id: string, player: string): Promise<Party> => change(id, 'host', { player });

export const closeParty = (id: string): Promise<Party> => change(id, 'close');
