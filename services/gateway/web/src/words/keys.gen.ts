// Made of en.json by `npm run words`; do not edit.
import type { VNode } from 'preact';

export type Part = string | VNode;
/** Makes an element around the parts of a message between `<tag>` and `</tag>`. */
export type Tag = (parts: readonly Part[]) => VNode;

/** The arguments of each message; null for a message without. */
export interface Messages {
  'page.description': null;
  'page.name': null;
  'page.noScript': null;
  'page.title': { title: string | number };
  'problems.status': { status: string | number };
  'problems.unreachable': null;
  'ui.accountName': null;
  'ui.anyRating': null;
  'ui.api': null;
  'ui.cancel': null;
  'ui.copied': null;
  'ui.copyLink': null;
  'ui.createAccount': null;
  'ui.haveAccount': null;
  'ui.importGame': null;
  'ui.more': null;
  'ui.needAccount': null;
  'ui.newAccount': null;
  'ui.newGame': null;
  'ui.password': null;
  'ui.ratingFrom': null;
  'ui.ratingTo': null;
  'ui.rules': null;
  'ui.rulesOf': { name: string | number };
  'ui.signIn': null;
  'ui.signOut': null;
}
