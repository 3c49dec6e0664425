import { EVENT_VERSIONS } from '../src/contract/event-versions.js';

const PLACE = 'const VERSIONS = {};';

/** The public verifier with the table of event versions in it: it stays one file without dependencies. */
export function withEventVersions(verifier: string): string {
  if (!verifier.includes(PLACE)) throw new Error(`verify-fanvas.mjs lacks "${PLACE}".`);
  const versions = Object.assign({}, ...Object.values(EVENT_VERSIONS)) as Readonly<Record<string, number>>;
  return verifier.replace(PLACE, `const VERSIONS = ${JSON.stringify(versions)};`);
}
