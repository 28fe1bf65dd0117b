// Who uses this page: an account, a guest or nobody yet.
import { call, RestError } from './rest.ts';
import type { Person } from './wire.ts';

export interface Account {
  id: string;
  username: string;
  guest?: boolean;
}

/** The signed-in player, or null. */
export async function account(): Promise<Account | null> {
  try {
    return (await call('GET', '/api/account')) as Account;
  } catch (error) {
    if (error instanceof RestError && error.status === 401) return null;
    throw error;
  }
}

/** Become a guest unless somebody is signed in; `known` undefined means that nobody has asked yet. */
export async function accountOrGuest(known: Account | Person | null | undefined): Promise<void> {
  if (known === undefined ? await account() : known) return;
  await call('POST', '/api/flagfall/guests');
}

export const signUp = (username: string, password: string): Promise<unknown> =>
  call('POST', '/api/flagfall/accounts', { username, password });

export const logIn = (username: string, password: string): Promise<unknown> =>
  call('POST', '/api/flagfall/login', { username, password });

export const logOut = (): Promise<unknown> => call('POST', '/api/flagfall/logout');
