import { type AccountSpec } from '../../clerk/index.js';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../demo-accounts.js';

const FIRST_NAMES =
  'Amara Bruno Celia Dmitri Elsie Farid Greta Hugo Ines Jonas Kaia Leo Mina Nico Orla Pavel Quinn Rosa Samir Tilda'.split(
    ' ',
  );
const LAST_NAMES = ['Ashdown', 'Berg', 'Calloway', 'Delacroix', 'Ferro', 'Holm', 'Ibarra', 'Kovač', 'Lindqvist'];

/** The demo account `fan@fanvas.test` has a past, too. */
export const DEMO_FAN = 0;

/** The account of a fan of the past. Names are invented. */
export function fanAccount(fan: number): AccountSpec {
  const known = DEMO_ACCOUNTS[0];
  if (fan === DEMO_FAN && known) return known;
  const firstName = FIRST_NAMES[fan % FIRST_NAMES.length] ?? 'Fan';
  const lastName = LAST_NAMES[(fan * 4 + Math.floor(fan / FIRST_NAMES.length)) % LAST_NAMES.length] ?? 'Berg';
  return { email: `${firstName}${fan}@fans.fanvas.test`.toLowerCase(), password: DEMO_PASSWORD, firstName, lastName };
}
