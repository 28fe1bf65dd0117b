// Who uses this page: an account, a guest or nobody yet.
import type { Credential, User } from './rest.gen.ts';
import { call, RestError } from './rest.ts';
import type { Person } from './wire.ts';

/** What the page reads of the account or guest who uses it. */
export type Account = Pick<User, 'id' | 'username' | 'guest'>;

/** The signed-in player, or null. */
export async function account(): Promise<Account | null> {
  try {
    return await call('GET /api/account');
  } catch (error) {
    if (error instanceof RestError && error.status === 401) return null;
    throw error;
  }
}

/** Become a guest unless somebody is signed in; `known` undefined means that nobody has asked yet. */
export async function accountOrGuest(known: Account | Person | null | undefined): Promise<void> {
  if (known === undefined ? await account() : known) return;
  await call('POST /api/flagfall/guests');
}

export const signUp = (username: string, password: string): Promise<Credential> =>
  call('POST /api/flagfall/accounts', { body: { username, password } });

export const logIn = (username: string, password: string): Promise<Credential> =>
  call('POST /api/flagfall/login', { body: { username, password } });

export const logOut = (): Promise<unknown> => call('POST /api/flagfall/logout');
