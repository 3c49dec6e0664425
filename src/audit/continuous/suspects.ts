import { accountStream } from '../../credits/index.js';
import { AccountState } from './account-state.js';
import { type ContinuousSources } from './check-whole-ledger.js';
import { type VerifiedRow } from './verification-store.js';
import { saveRewritten } from './verified-streams.js';

/** The rows of accounts before they become suspect, by user. */
type KnownAccounts = ReadonlyMap<string, Pick<VerifiedRow, 'state'>>;

/** Marks accounts for a complete verification. */
export async function suspect(
  sources: ContinuousSources,
  users: readonly string[],
  known: KnownAccounts,
  now: Date,
): Promise<void> {
  if (users.length === 0) return;
  await findRewrittenAccounts(sources, users, known, now);
  await sources.pool.query(
    `insert into verified_account (user_id, version) select unnest($1::text[]), -1
     on conflict (user_id) do update set state = null, pending_since = null`,
    [users],
  );
}

/**
 * Stores a problem for each of these accounts whose last verified event is gone or another one. The mark of a suspect
 * account replaces the state that has this event, so it is looked for before.
 */
export async function findRewrittenAccounts(
  sources: ContinuousSources,
  users: readonly string[],
  known: KnownAccounts,
  now: Date,
): Promise<void> {
  for (const user of users) {
    const state = known.get(user)?.state ?? null;
    if (state === null) continue;
    const { version, head } = new AccountState(user, state).audit;
    // No event of the account was verified yet.
    if (version < 0) continue;
    await saveRewritten(sources, { subject: user, stream: accountStream(user), version, head }, now);
  }
}
