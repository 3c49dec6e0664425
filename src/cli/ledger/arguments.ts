import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import {
  type AcceptedKeys,
  acceptKeys,
  CHECKPOINT_FILE,
  readCopy,
  fingerprintOf,
  type KeptCheckpoint,
  type KeyRotation,
  type KindTotals,
  LedgerFileError,
  parseInstant,
  proveSeal,
  type ProvenSeal,
  PUBLIC_KEY_FILE,
  readPublicKey,
  readRotations,
  rotationsIn,
  SEAL_FOLDER,
  sealFilesAt,
  sealFilesIn,
} from '../../audit/index.js';
import { type Config } from '../../platform/config/config.js';
import { openRecords } from '../../platform/storage/open-storage.js';
import { count, type ProblemPrinter, progress, resolveFile } from '../output.js';

/** `--json`: one JSON object a line instead of text. */
export const JSON_OPTION = new Option('--json', 'print JSON, one object a line').default(false);

/** `--against`: seals to compare with. May repeat. */
export const AGAINST_OPTION = new Option(
  '--against <seal>',
  'a seal file, or a folder of seals, to compare with; may be repeated',
).argParser(collect);

/** `--checkpoint`: kept checkpoints of the public log. May repeat. */
export const CHECKPOINT_OPTION = new Option(
  '--checkpoint <file>',
  'a kept checkpoint of the public log, as /ledger/checkpoint serves it; by default the one in DATA_DIR; may be repeated',
).argParser(collect);

/** The checkpoints in these files, or else those that the app keeps in DATA_DIR and in the bucket, if there are any. */
export async function keptCheckpoints(paths: readonly string[] | undefined, config: Config): Promise<KeptCheckpoint[]> {
  const own = join(config.dataDir, CHECKPOINT_FILE);
  const files = paths?.map(resolveFile) ?? (existsSync(own) ? [own] : []);
  const kept = await Promise.all(files.map(async (location) => ({ location, note: await readText(location) })));
  const copies = paths ? null : await openRecords(config);
  const note = copies && (await readCopy(copies));
  return copies === null || note === null ? kept : [...kept, { location: copies.location + CHECKPOINT_FILE, note }];
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new LedgerFileError(`The file ${file} cannot be read.`, { cause: error });
  });
}

/** `--key`: public keys that seals and exports may be signed with. May repeat. */
export const KEY_OPTION = new Option(
  '--key <public-key>',
  'a public key file; by default the one in DATA_DIR; may be repeated',
).argParser(collect);

function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

/** Parses an instant. @throws InvalidArgumentError */
export function instant(value: string): Date {
  const parsed = parseInstant(value);
  if (parsed) return parsed;
  throw new InvalidArgumentError('It must be an instant such as 2026-03-10 or 2026-03-10T09:00:00Z.');
}

/** Refuses empty operands. @throws InvalidArgumentError */
export function nonEmpty(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('It must not be empty.');
}

/** Parses a whole number above zero. @throws InvalidArgumentError */
export function positiveNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number above zero.');
}

/** `--rotations`: signed replacements of keys. May repeat. */
export const ROTATIONS_OPTION = new Option(
  '--rotations <file>',
  'a file of key rotations, as /ledger/key-rotations.ndjson serves it; may be repeated',
).argParser(collect);

/** The options that decide which keys are trusted. */
export interface KeyOptions {
  readonly key?: string[];
  readonly rotations?: string[];
}

/**
 * The public keys in the files of `--key`, or else the one in DATA_DIR, and the keys that signed rotations connect with
 * them: those of `--rotations`, of these seals, of the app's own seals, and the given ones.
 */
export async function trustedKeys(
  { key, rotations }: KeyOptions,
  config: Config,
  problems: ProblemPrinter,
  from: { readonly seals?: readonly string[] | undefined; readonly rotations?: readonly KeyRotation[] } = {},
): Promise<AcceptedKeys> {
  const trusted = (key?.map(resolveFile) ?? [join(config.dataDir, PUBLIC_KEY_FILE)]).map(readPublicKey);
  const own = join(config.dataDir, SEAL_FOLDER);
  const paths = [...(from.seals ?? []).map(resolveFile), ...(await sealFilesIn(own))];
  const files = new Set((await Promise.all(paths.map(sealFilesAt))).flat());
  const found = [...(from.rotations ?? []), ...(await rotationsIn([...files]))];
  for (const file of rotations ?? []) found.push(...(await readRotations(resolveFile(file))));
  return acceptKeys(trusted, found, problems.addSeal);
}

/** The fingerprints of keys, for people. */
export function formatFingerprints({ keys }: AcceptedKeys): string {
  return keys.map(fingerprintOf).join(', ');
}

/** The valid seals at these paths. Defects of the others are reported as problems. */
export async function provenSeals(
  paths: readonly string[] | undefined,
  { keys }: AcceptedKeys,
  problems: ProblemPrinter,
): Promise<ProvenSeal[]> {
  const seals: ProvenSeal[] = [];
  for (const path of paths ?? []) {
    for (const file of await sealFilesAt(resolveFile(path))) {
      const proven = await proveSeal(file, keys, problems.addSeal, progress(formatSealPace(file)));
      if (proven) seals.push(proven);
    }
  }
  return seals;
}

/** Formats the progress of proving one seal. */
function formatSealPace(file: string): (soFar: { accounts: number; events: number }, seconds: number) => string {
  return ({ accounts }, seconds) =>
    `${basename(file)}: proved ${count(accounts)} accounts (${count(Math.round(accounts / seconds))} a second).`;
}

/** Formats a balance by kind. */
export function formatTotals({ daily, bonus, paid, total }: KindTotals): string {
  return `${total} credits (${daily} daily, ${bonus} bonus, ${paid} paid)`;
}
