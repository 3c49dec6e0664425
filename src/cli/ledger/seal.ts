import { dirname, join } from 'node:path';
import { copySeal, makeSeal, publishSeal, SEAL_FOLDER, SEAL_LOCK, SealError, signingKeyOf } from '../../audit/index.js';
import { Locks } from '../../platform/locks.js';
import { openRecords } from '../../platform/storage/open-storage.js';
import { formatCoverage, formatPace, note, progress, resolveFile, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import { JSON_OPTION, nonEmpty } from './arguments.js';
import { openLedger, signingKeySource } from './ledger-sources.js';

interface SealOptions {
  readonly json: boolean;
  readonly out?: string;
}

/** `seal`: signs the heads of all streams. */
export const addSeal: AddVerb = (program, run) => {
  program
    .command('seal')
    .description(
      'signs the heads of all streams now, as the app does daily, and copies the seal to LEDGER_SEAL_DIR and LEDGER_SEAL_URL',
    )
    .option('--out <file>', 'a further copy', nonEmpty)
    .addOption(JSON_OPTION)
    .action((options: SealOptions) => run((context) => seal(options, context)));
};

async function seal({ out, json }: SealOptions, { config, clock }: VerbContext): Promise<boolean> {
  const { pool, eventStore } = await openLedger(config, { as: 'app' });
  const now = (): Date => clock.now();
  const key = await signingKeyOf(pool, await signingKeySource(config, pool));
  const copies = await openRecords(config);
  const context = { pool, eventStore, key, now, folder: join(config.dataDir, SEAL_FOLDER), copies };
  const made = await new Locks(pool).withLock(SEAL_LOCK, async () => {
    const { manifest, file, missing } = await makeSeal(context, progress(formatPace('Sealed')));
    const { sealDir: dir, sealUrl: url, sealToken: token } = config.ledger;
    if (out !== undefined) await copySeal(file, resolveFile(out), dirname(resolveFile(out)));
    await publishSeal(context, manifest.number, file, { dir, url, token });
    return { manifest, file, missing };
  });
  if (!made) throw new SealError('The ledger is being sealed by another process; try again when it is done.');
  const { manifest, file, missing } = made;
  for (const stream of missing) note(`${stream}: not in the seal: all its events were deleted in the event store.`);
  if (json) say(JSON.stringify({ ...manifest, file, missing }));
  else {
    say(`Seal ${manifest.number} of ${manifest.startedAt}: ${formatCoverage(manifest)}.`);
    say(`Merkle root ${manifest.merkleRoot}, signed with the key ${manifest.keyFingerprint}.`);
    const copies = [out === undefined ? null : resolveFile(out), config.ledger.sealDir, config.ledger.sealUrl];
    say([file, ...copies].filter(Boolean).join('\n'));
  }
  return missing.length === 0;
}
