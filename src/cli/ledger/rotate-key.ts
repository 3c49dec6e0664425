import { join } from 'node:path';
import {
  adoptNextKey,
  fingerprintOf,
  keyOfFile,
  makeSeal,
  nextKey,
  publishSeal,
  SEAL_FOLDER,
  SEAL_LOCK,
  SealError,
  signingKeyOf,
} from '../../audit/index.js';
import { Locks } from '../../platform/locks.js';
import { openRecords } from '../../platform/storage/open-storage.js';
import { formatCoverage, formatPace, note, progress, resolveFile, say } from '../output.js';
import { type AddVerb, UsageError, type VerbContext } from '../program.js';
import { JSON_OPTION, nonEmpty } from './arguments.js';
import { openLedger, signingKeySource } from './ledger-sources.js';

interface RotateOptions {
  readonly json: boolean;
  readonly out?: string;
}

/** `rotate-key`: replaces the signing key. */
export const addRotateKey: AddVerb = (program, run) => {
  program
    .command('rotate-key')
    .description('replaces the signing key: the old key signs a seal that names the new key, which signs from then on')
    .option('--out <file>', 'where to write the new private key; needed when LEDGER_SIGNING_KEY is set', nonEmpty)
    .addOption(JSON_OPTION)
    .action((options: RotateOptions) => run((context) => rotate(options, context)));
};

async function rotate({ out, json }: RotateOptions, { config, clock }: VerbContext): Promise<boolean> {
  const { signingKey: configuredKey, sealDir: dir, sealUrl: url, sealToken: token } = config.ledger;
  if (configuredKey !== null && out === undefined)
    throw new UsageError('LEDGER_SIGNING_KEY is set: name a file with --out.');
  if (configuredKey === null && out !== undefined)
    throw new UsageError('--out is for LEDGER_SIGNING_KEY, which is not set.');
  const { pool, eventStore } = await openLedger(config, { as: 'app' });
  const source = await signingKeySource(config, pool);
  const { keys, dataDir } = source;
  const now = (): Date => clock.now();
  const copies = await openRecords(config);
  const made = await new Locks(pool).withLock(SEAL_LOCK, async () => {
    const key = await signingKeyOf(pool, source);
    // Kept until the seal is stored, so that an interrupted rotation continues with the same key.
    const next = out === undefined ? await nextKey(keys) : keyOfFile(resolveFile(out));
    if (fingerprintOf(next) === fingerprintOf(key)) throw new UsageError('That is the current key.');
    const context = { pool, eventStore, key, nextKey: next, now, folder: join(dataDir, SEAL_FOLDER), copies };
    const { manifest, file, missing } = await makeSeal(context, progress(formatPace('Sealed')));
    if (configuredKey === null) {
      await adoptNextKey(keys, fingerprintOf(next));
      await signingKeyOf(pool, source);
    }
    await publishSeal(context, manifest.number, file, { dir, url, token });
    return { manifest, file, missing, newFingerprint: fingerprintOf(next) };
  });
  if (!made) throw new SealError('The ledger is being sealed by another process; try again when it is done.');
  const { manifest, file, missing, newFingerprint } = made;
  for (const stream of missing) note(`${stream}: not in the seal: all its events were deleted in the event store.`);
  if (json) say(JSON.stringify({ ...manifest, file, missing, newFingerprint }));
  else {
    say(`Seal ${manifest.number} of ${manifest.startedAt}: ${formatCoverage(manifest)}. It is in ${file}.`);
    say(`The key ${manifest.keyFingerprint} is replaced by the key ${newFingerprint}, which signs from now on.`);
    if (out !== undefined) {
      say(`Set LEDGER_SIGNING_KEY to the content of ${resolveFile(out)} and restart every instance.`);
    }
  }
  return missing.length === 0;
}
