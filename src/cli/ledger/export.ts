import { exportLedger, signingKeyOf } from '../../audit/index.js';
import { count, formatPace, ProblemPrinter, progress, resolveFile, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import { JSON_OPTION, nonEmpty } from './arguments.js';
import { openLedger, signingKeySource } from './ledger-sources.js';

/** `export`: writes all events and a signed manifest to a file. */
export const addExport: AddVerb = (program, run) => {
  program
    .command('export')
    .description('all events, with a signed manifest')
    .requiredOption('--out <file>', 'the file to write', nonEmpty)
    .addOption(JSON_OPTION)
    .action(({ out, json }: { out: string; json: boolean }) =>
      run((context) => exportTo(resolveFile(out), json, context)),
    );
};

async function exportTo(file: string, asJson: boolean, { config, clock }: VerbContext): Promise<boolean> {
  const { pool, eventStore } = await openLedger(config);
  const problems = new ProblemPrinter('stderr');
  const key = await signingKeyOf(pool, await signingKeySource(config, pool));
  const manifest = await exportLedger({ eventStore }, file, {
    key,
    now: () => clock.now(),
    onProblem: problems.add,
    onProgress: progress(formatPace('Exported')),
  });
  if (asJson) say(JSON.stringify({ ...manifest, problems: problems.count }));
  else {
    say(`${file}: ${count(manifest.streams)} streams, ${count(manifest.events)} events.`);
    say(`Merkle root ${manifest.merkleRoot}, signed with the key ${manifest.keyFingerprint}.`);
    if (problems.count > 0) say(`${problems.summary()} They are in the file as they are in the ledger.`);
  }
  return problems.count === 0;
}
