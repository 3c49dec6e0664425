#!/usr/bin/env node
/**
 * Verifies the credit ledger of a Fanvas site from outside, with Node 20 or in a browser. It shares no code with the
 * product: it follows docs/events.md, ledger-audit.md and books.md, and the rules in src/credits and src/revenue.
 * Without arguments, it prints those that it takes.
 *
 * Times are epoch milliseconds. Cents of the books are a debit above zero. `complain` takes a sentence for each fault.
 */
const nodeHash = globalThis.process?.versions?.node && (await import('node:crypto')).createHash;
const { subtle } = globalThis.crypto;
const DAY_MS = 86_400_000;
/** Clocks may differ by so much (milliseconds). */
const CLOCKS_DIFFER_MS = 600_000;
/** Shares of the last quarter of an hour may be recorded after the export (milliseconds). */
const RECORDED_WITHIN_MS = 900_000;
/** Places that one sentence names at most. */
const MOST_NAMED = 9;
/** Sentences that the command line prints at most. */
const MOST_PRINTED = 50;
/** A site that has had too many requests is asked so many times, with so many seconds between at most. */
const MOST_ATTEMPTS = 5;
const LONGEST_PAUSE = 60;

/* ---------- Bytes, hashes and signatures ---------- */

function fail(message) {
  throw new Error(message);
}

function bytesOf(text) {
  return new globalThis.TextEncoder().encode(text);
}

function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text) {
  return Uint8Array.from(globalThis.atob(text), (character) => character.charCodeAt(0));
}

function joined(...parts) {
  return new Uint8Array([].concat(...parts.map((part) => Array.from(part))));
}

async function sha256(bytes) {
  if (nodeHash) return new Uint8Array(nodeHash('sha256').update(bytes).digest());
  return new Uint8Array(await subtle.digest('SHA-256', bytes));
}

async function hashOfText(text) {
  return hexOf(await sha256(bytesOf(text)));
}

/** The bytes before an Ed25519 key in DER. */
const KEY_HEADER = fromHex('302a300506032b6570032100');

async function fingerprintOf(key) {
  return hexOf(await sha256(joined(KEY_HEADER, key)));
}

async function isSigned(bytes, signature, key) {
  const imported = await subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  return subtle.verify('Ed25519', imported, signature, bytes);
}

/* ---------- JSON: docs/events.md, 'Metadata of every event' ---------- */

/** JSON as RFC 8785 writes it. @throws TypeError for a value that JSON cannot hold */
export function canonical(value) {
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('Text has half a character.');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number is too large.');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(',')}}`;
}

function isEqual(one, other) {
  return canonical(one) === canonical(other);
}

/** The object of a line of canonical JSON; an empty one for any other line. */
function parseLine(line) {
  try {
    const value = JSON.parse(line);
    return canonical(value) === line ? (value ?? {}) : {};
  } catch {
    return {};
  }
}

/** The lines of chunks of text. Only a line feed ends a line. @throws Error when the last one has none */
export async function* splitLines(chunks) {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop();
    yield* parts;
  }
  if (rest !== '') fail('The last line has no line feed: the end of the file is missing.');
}

/* ---------- The tree of the log: docs/ledger-audit.md, 'The public log' ---------- */

function leafOf(entry) {
  return sha256(joined([0], entry));
}

function nodeOf(left, right) {
  return sha256(joined([1], left, right));
}

/** The Merkle tree of RFC 6962, section 2.1, leaf by leaf. */
export class Tree {
  size = 0;
  /** The roots of the complete trees that the leaves make, the largest first. */
  peaks = [];

  async add(entry) {
    let hash = await leafOf(entry);
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) hash = await nodeOf(this.peaks.pop(), hash);
    this.peaks.push(hash);
    this.size += 1;
  }

  async root() {
    let root = this.peaks.at(-1) ?? (await sha256(new Uint8Array()));
    for (const peak of this.peaks.slice(0, -1).reverse()) root = await nodeOf(peak, root);
    return hexOf(root);
  }
}

/** The root of a tree of which a leaf and its path are known (RFC 6962, section 2.1.1). Empties the path. */
async function rootFrom(leaf, index, size, path) {
  if (size === 1) return leaf;
  const sibling = path.pop() ?? [];
  const left = 2 ** ((size - 1).toString(2).length - 1); // The largest power of two below the size
  if (index < left) return nodeOf(await rootFrom(leaf, index, left, path), sibling);
  return nodeOf(sibling, await rootFrom(leaf, index - left, size - left, path));
}

/* ---------- Keys and what they sign: docs/ledger-audit.md, 'The files' and 'Replacing the key' ---------- */

/** A public key in PEM, or as a verifier key (C2SP signed-note). @throws Error for other text */
function readKey(text) {
  const pem = /-----BEGIN PUBLIC KEY-----([\sA-Za-z0-9+/=]+)-----END/.exec(text);
  const bytes = fromBase64(pem ? pem[1].replace(/\s/g, '') : text.trim().replace(/^[^+]*\+[^+]*\+/, ''));
  const header = hexOf(bytes.slice(0, -32));
  if (header !== (pem ? hexOf(KEY_HEADER) : '01')) throw new Error('This is no Ed25519 public key.');
  return bytes.slice(-32);
}

/** The keys of these texts and those that rotations connect with them, each with the rotation that replaced it. */
async function acceptKeys({ keys, rotations = '' }, complain) {
  const accepted = new Map();
  for (const key of keys.map(readKey)) accepted.set(await fingerprintOf(key), { key });
  const records = [...rotations.matchAll(/.+/g)].map(([line]) => JSON.parse(line));
  // A rotation may come before the one that connects it, so all are read once for each.
  for (const rotation of records.flatMap(() => records)) {
    const found = await readRotation(rotation);
    if (!found || (!accepted.has(found.oldPrint) && !accepted.has(found.newPrint))) continue;
    const { record, oldKey, newKey, oldPrint, newPrint } = found;
    const known = accepted.get(oldPrint)?.replaced ?? record;
    if (known.newPublicKey !== record.newPublicKey) complain(`Key ${oldPrint} has two successors.`);
    accepted.set(oldPrint, { key: oldKey, replaced: known.number < record.number ? known : record });
    accepted.set(newPrint, accepted.get(newPrint) ?? { key: newKey });
  }
  return accepted;
}

/** A rotation with its two keys and their fingerprints; null when one of them has not signed it. */
async function readRotation({ oldSignature, newSignature, ...record }) {
  const [oldKey, newKey] = [record.oldPublicKey, record.newPublicKey].map((der) => fromBase64(der).slice(-32));
  const bytes = bytesOf(canonical(record));
  const isByBoth =
    (await isSigned(bytes, fromBase64(oldSignature), oldKey)) &&
    (await isSigned(bytes, fromBase64(newSignature), newKey));
  if (!isByBoth) return null;
  return { record, oldKey, newKey, oldPrint: await fingerprintOf(oldKey), newPrint: await fingerprintOf(newKey) };
}

/** The manifest in the last line of an export. @throws Error without one */
async function openManifest(line, accepted, complain) {
  const { manifest, signature, ...rest } = parseLine(line);
  const isManifest = manifest?.format === 'fanvas-ledger-export' && manifest.formatVersion === 1;
  if (!isManifest || Object.keys(rest).length > 0) throw new Error('The file does not end with a manifest.');
  const { key, replaced } = accepted.get(manifest.keyFingerprint) ?? {};
  const holds = key && (await isSigned(bytesOf(canonical(manifest)), fromBase64(signature), key));
  if (!holds) complain('No trusted key has signed the manifest.');
  if (manifest.startedAt > replaced?.rotatedAt) complain('The manifest is signed with a key that was replaced before.');
  return manifest;
}

/** The checkpoint (C2SP tlog-checkpoint) that one of these keys has signed. @throws Error without one */
export async function openCheckpoint(note, keys) {
  const [, text, origin, size, root, lines] =
    /^((.+)\n(\d{1,16})\n([A-Za-z0-9+/]{43}=)\n(?:.+\n)*)\n((?:— \S+ \S+\n)+)$/.exec(note) ?? [];
  const results = [];
  for (const [, name, encoded] of lines?.matchAll(/— (\S+) (\S+)\n/g) ?? []) {
    const signature = fromBase64(encoded);
    for (const key of name === origin ? keys : []) {
      const keyId = (await sha256(joined(bytesOf(`${name}\n`), [1], key))).slice(0, 4);
      const isOfKey = hexOf(keyId) === hexOf(signature.slice(0, 4));
      if (isOfKey) results.push(await isSigned(bytesOf(text), signature.slice(4), key));
    }
  }
  if (!results.length || results.includes(false)) throw new Error('No trusted key has signed the checkpoint.');
  return { origin, size: Number(size), root: hexOf(fromBase64(root)) };
}

/* ---------- Amounts and times ---------- */

function isAmount(value) {
  return Number.isSafeInteger(value) && value > 0;
}

function isPaid({ kind }) {
  return kind === 'paid';
}

function sumOf(parts, valueOf = ({ amount }) => amount) {
  return parts.reduce((sum, part) => sum + valueOf(part), 0);
}

/** The value of `some` of `parts` parts of a total, rounded down; with `parts - 1` as `extra`, rounded up. */
function portion(some, total, parts, extra = 0) {
  return Number((BigInt(some) * BigInt(total) + BigInt(extra)) / BigInt(parts));
}

/** The value that `more` parts add to that of `some` parts. */
function rise(some, more, total, parts) {
  return portion(some + more, total, parts) - portion(some, total, parts);
}

function isoOf(time) {
  return new Date(time).toISOString();
}

/** Whether a text is a time in the one form that events have. */
function isTime(text) {
  const time = Date.parse(text);
  return !Number.isNaN(time) && isoOf(time) === text;
}

/** The next midnight, UTC. */
function nextDay(time) {
  return isoOf((Math.floor(time / DAY_MS) + 1) * DAY_MS);
}

/** The first instant after a month, YYYY-MM; of the month itself, after none. */
function endOf(month, months = 1) {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year, number - 1 + months);
}

/* ---------- Events and their chains: docs/events.md ---------- */

/** The newest version of each event. The build writes here what src/contract/event-versions.ts has. */
const VERSIONS = {};
/** Fields that events of version 1 lack, with what they meant. */
const LATER_FIELDS = {
  CreditsDeducted: { ownGeneration: false },
  DeductionSettled: { ownGeneration: false },
  MonthClosed: { creatorShare: null },
};

/** The data of an event in its newest version. @throws Error for an event that this verifier does not know */
function newestOf(type, { schemaVersion, ...data }) {
  const newest = Object.hasOwn(VERSIONS, type) ? VERSIONS[type] : fail('it is not known');
  if (!Number.isSafeInteger(schemaVersion) || schemaVersion < 1) fail('it is not known');
  if (schemaVersion > newest) {
    fail('it was made by a newer Fanvas; fetch its verifier from /ledger/verify-fanvas.mjs of that site');
  }
  return { ...(schemaVersion === 1 && LATER_FIELDS[type]), ...data };
}

/** A stream of events. Of a kind that is not known, its chain and times are all that is checked. */
export class Stream {
  version = -1;
  hash = null;
  /** Time of the last event. */
  // oxlint-disable-next-line id-length -- as in the manifest and in statements
  at = Number.NEGATIVE_INFINITY;
  /** False once an event could not be read. */
  readable = true;
  /** The lines that the last event makes in the books. */
  lines = [];

  constructor(stream, complain) {
    this.stream = stream;
    this.owner = stream.slice(stream.indexOf('-') + 1);
    this.need = (holds, sentence) => holds || complain(`${stream} @ ${this.version}: ${sentence}`);
  }

  /** Checks the next event. @returns the lines that it makes in the books; their cents sum to zero */
  async add(event) {
    await this.checkChain(event);
    const { type, data, metadata } = event;
    const time = this.checkTime(type, metadata.occurredAt);
    this.lines = [];
    try {
      if (this.readable) this.apply?.(type, this.apply && newestOf(type, data), time, metadata);
    } catch ({ message }) {
      this.readable = false;
      this.lines = [];
      this.need(false, `${type} cannot be read: ${message}.`);
    }
    this.at = time;
    return this.lines;
  }

  /** The hash of an event covers the event and the hash before it. docs/events.md, 'Metadata of every event'. */
  async checkChain({ version, id: eventId, type, data, metadata: { hash, ...metadata } }) {
    this.need(version === this.version + 1, `Event ${this.version + 1} is missing.`);
    this.version = version;
    const due = await hashOfText(canonical([this.hash, this.stream, version, eventId, type, data, metadata]));
    this.need(hash === due, 'The hash is not that of the event and the one before it.');
    this.need(metadata.eventId === eventId, 'The event has two ids.');
    this.hash = hash;
  }

  /** Only an admin's repair of a clock that was ahead may be older than the event before it. */
  checkTime(type, occurredAt) {
    const time = Date.parse(occurredAt);
    this.need(isTime(occurredAt), 'The event has no time.');
    this.need(time >= this.at || type === 'ClockRepaired', 'The event occurred before the one before it.');
    return time;
  }

  /** Adds a line: cents of an account of docs/books.md. */
  post(account, cents, about) {
    if (!Number.isInteger(cents)) throw new Error(`${cents} is no number of cents`);
    this.lines.push({ account, cents, ...about });
  }
}

/* ---------- Payouts: docs/books.md, 'Payouts' and 'Rule 1' ---------- */

/** The account of rule 1 that has the amount of a payout after each event, and the events that it may follow. */
const PAYOUT_STEPS = {
  PayoutDrafted: { account: 2120, follows: ['nothing'] },
  PayoutFixed: { account: 2130, follows: ['PayoutDrafted'] },
  PayoutChecked: { account: 2130, follows: ['PayoutFixed'] },
  PayoutPaid: { account: 2140, follows: ['PayoutChecked', 'PayoutFailed'] },
  PayoutFailed: { account: 2120, follows: ['PayoutChecked', 'PayoutPaid'] },
  PayoutCancelled: { account: 2120, follows: ['PayoutDrafted', 'PayoutFixed', 'PayoutChecked'] },
};
/** A payout is on its way after these events. */
const UNDER_WAY = PAYOUT_STEPS.PayoutCancelled.follows;

/** The payouts of one creator. */
export class Payouts extends Stream {
  payouts = new Map();
  /** The payout and the bank's reference of each transfer. */
  transfers = new Set();

  apply(type, data) {
    if (type === 'PayoutsHeld') return;
    const { account, follows } = PAYOUT_STEPS[type] ?? fail('it is not known');
    const last = this.payouts.get(data.payoutId) ?? { type: 'nothing', account: 2120 };
    this.need(follows.includes(last.type), `${type} cannot follow ${last.type}.`);
    if (!UNDER_WAY.includes(last.type)) this.needNoOther(type);
    if (type === 'PayoutPaid') this.needNewTransfer(data);
    const amount = this.amountOf(type, data, last);
    this.payouts.set(data.payoutId, { type, account, amount });
    this.post(last.account, amount, { creatorId: this.owner });
    this.post(account, -amount, { creatorId: this.owner });
  }

  /** Another payout on its way contains what this one would take: the same earnings would be paid twice. */
  needNoOther(type) {
    const isOther = [...this.payouts.values()].some((payout) => UNDER_WAY.includes(payout.type));
    this.need(type === 'PayoutFailed' || !isOther, `${type} comes while another payout is on its way.`);
  }

  /** A transfer that came back is not paid by the same line of the bank again. */
  needNewTransfer({ payoutId, reference }) {
    const transfer = `${payoutId} ${reference}`;
    this.need(!this.transfers.has(transfer), 'The same transfer is recorded a second time.');
    this.transfers.add(transfer);
  }

  /** Payouts are cumulative: a draft takes what is payable in all, less what was paid before. */
  amountOf(type, { payableCents, paidCents, amountCents }, last) {
    const paid = sumOf([...this.payouts.values()].filter((payout) => payout.account === 2140));
    const isStated = type === 'PayoutDrafted' || type === 'PayoutFixed';
    const amount = isStated ? payableCents - paid : last.amount;
    const isRight = isAmount(amount) && (amountCents ?? amount) === amount && (paidCents ?? paid) === paid;
    this.need(isRight, `The amount of the payout is ${amount} cents, not ${amountCents}.`);
    return amount;
  }
}

/* ---------- Shares of creators: docs/events.md, 'Stream creatorEarnings' ---------- */

/** The shares of one creator: what was earned, taken back (`correction`) and given back (`restoration`). */
export class Earnings extends Stream {
  shares = new Map();

  apply(type, { reference, kind, cents, earnedAt, payableAt, ...others }, time) {
    if (type !== 'EarningPosted') throw new Error('it is not known');
    const isGain = kind === 'earning' || kind === 'restoration';
    const fits = isGain ? isAmount(cents) : kind === 'correction' && isAmount(-cents);
    const isPlain = Object.keys(others).length === 0 && Date.parse(earnedAt) <= time + CLOCKS_DIFFER_MS;
    this.need(fits && isPlain && !this.shares.has(reference), 'This is no share, or it is recorded a second time.');
    const text = [this.owner, kind, payableAt, cents, earnedAt].join(' ');
    this.shares.set(reference, { kind, cents, payableAt: Date.parse(payableAt), text });
  }

  /** Cents that were earned, and that were taken back less what was given back; and what is payable of both. */
  balance(time) {
    const sum = (filter) => sumOf([...this.shares.values()].filter(filter), ({ cents }) => cents);
    const total = sum(() => true);
    const earnedCents = sum(({ kind }) => kind === 'earning');
    const payableCents = sum((share) => share.payableAt <= time);
    return { earnedCents, correctedCents: total - earnedCents, payableCents, pendingCents: total - payableCents };
  }
}

/**
 * Compares the shares that an event of an account makes with the recorded ones, and removes these.
 * docs/ledger-audit.md, 'The verifier'.
 * @param recordedUntil shares of events up to this time must be recorded
 */
async function compareShares(eventId, { lines, at: time, need }, recorded, recordedUntil) {
  const shares = lines
    .filter(({ account, cents }) => account === 2100 && cents !== 0)
    .map((line) => [line.creatorId, line.kind, isoOf(line.payableAt), -line.cents, isoOf(time)].join(' '));
  for (const [place, share] of shares.sort().entries()) {
    const reference = await hashOfText(`${eventId} ${place}`);
    const found = recorded.get(reference) ?? (time <= recordedUntil ? 'nothing' : share);
    need(found === share, `The share is "${share}", but "${found}" is recorded.`);
    recorded.delete(reference);
  }
}

/* ---------- Accounts of fans: src/credits/README.md, 'Rules', and src/revenue/README.md, 'Rules' ---------- */

/** For the cause of a reversal: the account of the cash that it takes, and that of the loss. */
const CAUSES = { refund: { cash: 1020, loss: 5100 }, dispute: { cash: 1030, loss: 5200 } };
const SPENDING_ORDER = ['daily', 'bonus', 'paid'];

/** Parts of a lot with different ends are kept apart. */
function keyOf({ lotId, expiresAt }) {
  return `${lotId} ${expiresAt}`;
}

function hasLapsed({ expiresAt }, time) {
  return expiresAt !== null && Date.parse(expiresAt) <= time;
}

/** Credits of a purchase that its returned cents take: their share of the price, rounded down. */
function takenCredits({ credits, cents, returnedCents }) {
  return Math.min(credits, portion(credits, returnedCents, cents || 1));
}

/** One account, with a method for each event. The new rules of revenue hold from `cumulativeFrom` on; null: never. */
export class Account extends Stream {
  /** The places of the ids that were used, in the order of their first use. */
  ids = new Map();
  lots = new Map();
  deductions = new Map();
  purchases = new Map();
  reversals = new Map();
  /** Credits of one purchase that paid the debt of another one, the latest first. */
  payments = [];
  /** Cents of the bought credits that are owed. */
  unearned = 0;
  /** Credits that are owed: bought ones, and others. */
  unspent = { paid: 0, free: 0 };

  constructor(stream, complain, cumulativeFrom) {
    super(stream, complain);
    this.cumulativeFrom = cumulativeFrom ?? Infinity;
  }

  /**
   * The lines of each event sum to zero. docs/books.md, 'Entries of each event': the methods of events return the
   * account of what is missing for zero; without one it is 4200.
   */
  apply(type, data, time, metadata) {
    if (!/^[A-Z]/.test(type) || !this[type]) throw new Error('it is not known');
    if (type !== 'DebtRepaid') this.end();
    const rest = this[type](data, time, metadata);
    const unearned = this.unearnedCents();
    const unspent = this.unspentCredits();
    this.post(2000, this.unearned - unearned, { credits: this.unspent.paid - unspent.paid });
    this.post(2050, 0, { credits: this.unspent.free - unspent.free });
    Object.assign(this, { unearned, unspent });
    this.post(rest ?? 4200, -sumOf(this.lines, ({ cents }) => cents));
  }

  /** Bought credits that have just arrived must pay debt, before any other event and before the end of the stream. */
  end() {
    const hasArrived = [...this.purchases.values()].some((purchase) => purchase.arrived > 0);
    this.need(!hasArrived || this.owed() === 0, 'Bought credits arrived, but did not pay the debt.');
    for (const purchase of this.purchases.values()) purchase.arrived = 0;
  }

  owed() {
    return sumOf([...this.purchases.values()], ({ debt }) => debt);
  }

  /** Credits that can be spent at an instant, those of open deductions, and the debt. */
  balance(time) {
    const kinds = { daily: 0, bonus: 0, paid: 0 };
    for (const lot of this.lots.values()) if (!hasLapsed(lot, time)) kinds[lot.kind] += lot.amount;
    const open = sumOf([...this.deductions.values()]);
    return { ...kinds, total: kinds.daily + kinds.bonus + kinds.paid, open, owed: this.owed() };
  }

  /** The parts of lots that are unspent or in open deductions. */
  unspentParts() {
    return [...this.lots.values(), ...[...this.deductions.values()].flatMap(({ allocations }) => allocations)];
  }

  unspentCredits() {
    const parts = this.unspentParts();
    const paid = sumOf(parts.filter(isPaid));
    return { paid, free: sumOf(parts) - paid };
  }

  /** Cents of the bought credits that are unspent: their part of each price, rounded up. */
  unearnedCents() {
    const parts = this.unspentParts();
    const unspent = (purchase) => sumOf(parts.filter(({ lotId }) => lotId === purchase.lot.lotId));
    const centsOf = (purchase) => portion(unspent(purchase), purchase.cents, purchase.credits, purchase.credits - 1);
    return sumOf([...this.purchases.values()], centsOf);
  }

  /* Lots */

  /** Every grant, purchase, deduction and reversal happens once. */
  once(name) {
    this.need(!this.ids.has(name), `${name} is made a second time.`);
    if (!this.ids.has(name)) this.ids.set(name, this.ids.size);
  }

  bought(lotId) {
    return this.purchases.get(lotId) ?? fail(`there is no purchase ${lotId}`);
  }

  /** Adds credits to a lot. Those that arrive in a new or a reversed purchase must pay debt. */
  put(part, isNew = false) {
    const purchase = this.purchases.get(part.lotId);
    this.need(isAmount(part.amount), `${part.amount} is no number of credits.`);
    if (isNew) this.once(`Lot ${part.lotId}`);
    if (purchase && (isNew || takenCredits(purchase) > 0)) purchase.arrived += part.amount;
    const before = this.lots.get(keyOf(part))?.amount ?? 0;
    this.lots.set(keyOf(part), { ...part, amount: part.amount + before });
  }

  /** Takes credits from a lot. It must have lapsed if `isOver`, and otherwise not. */
  take(part, time, isOver = false) {
    const lot = this.lots.get(keyOf(part)) ?? { amount: 0 };
    const isSame = lot.kind === part.kind && lot.unitPriceCents === part.unitPriceCents;
    const fits = isSame && hasLapsed(lot, time) === isOver && isAmount(part.amount) && lot.amount >= part.amount;
    this.need(fits, `Lot ${part.lotId} lacks these credits.`);
    this.lots.set(keyOf(part), { ...lot, amount: lot.amount - part.amount });
    if (lot.amount === part.amount) this.lots.delete(keyOf(part));
  }

  /** Takes credits, once: daily before bonus before paid, and the oldest lot of a kind first. */
  spend(name, { amount, allocations }, time) {
    this.once(name);
    this.need(isAmount(amount) && sumOf(allocations) === amount, 'The amount is not the sum of its parts.');
    for (const part of allocations) this.take(part, time);
    const left = [...this.lots.values()].filter((lot) => !hasLapsed(lot, time));
    const placeOf = ({ kind, lotId }) => SPENDING_ORDER.indexOf(kind) * 1e9 + this.ids.get(`Lot ${lotId}`);
    const places = [...allocations.map(placeOf), Math.min(...left.map(placeOf))];
    const isInOrder = !places.some((place, index) => place < places[index - 1]);
    this.need(isInOrder, 'Other lots must be spent first.');
  }

  /* Grants and purchases */

  CreditsGranted({ lotId, kind, source, amount, expiresAt }, time) {
    const day = isoOf(time).slice(0, 10);
    const isOfDay = lotId === `daily:${day}` && expiresAt === nextDay(time);
    const isDaily = source === 'daily' && kind === 'daily' && isOfDay;
    const isGift = /^admin grant:|^signup signup 30$/.test(`${source} ${lotId} ${amount}`);
    this.need(isDaily || (isGift && kind === 'bonus' && expiresAt === null), `Lot ${lotId} breaks the rules.`);
    this.put({ lotId, kind, amount, unitPriceCents: 0, expiresAt }, true);
  }

  CreditsPurchased({ lotId, amount, amountCents, unitPriceCents }) {
    const lot = { lotId, kind: 'paid', unitPriceCents, expiresAt: null };
    const nothing = { arrived: 0, returnedCents: 0, debt: 0, settled: 0, earning: 0, images: [] };
    this.purchases.set(lotId, { lot, credits: amount, cents: amountCents, ...nothing });
    const isPrice = unitPriceCents === Math.floor(amountCents / amount);
    this.need(isAmount(amountCents + 1) && isPrice, 'The prices do not fit.');
    this.put({ ...lot, amount }, true);
    this.post(1010, amountCents);
  }

  CreditsExpired(part, time) {
    this.take({ ...part, unitPriceCents: 0 }, time, true);
    this.need(!this.lots.has(keyOf(part)), `Lot ${part.lotId} does not expire as a whole.`);
  }

  CreditsAdjusted(adjustment, time) {
    this.spend(`Adjustment ${adjustment.adjustmentId}`, adjustment, time);
    return 4100;
  }

  /** A waiver takes all bought credits, because the account closes. */
  CreditsWaived({ amount, allocations }, time) {
    for (const part of allocations) this.take(part, time);
    const allPaid = [...this.lots.values(), ...allocations].filter(isPaid);
    const isAll = allPaid.length === allocations.length && sumOf(allocations) === amount;
    this.need(isAll, 'The waiver takes other credits.');
    return 4100;
  }

  ClockRepaired({ aheadUntil }, time, { actorId }) {
    const isBack = time < this.at && Date.parse(aheadUntil) === this.at;
    this.need(isBack && actorId && actorId !== 'system', 'The repair of the clock is not one of an admin.');
  }

  /* Deductions: each begins once and ends once, by a settlement or a refund */

  CreditsDeducted(deduction, time) {
    this.need(typeof deduction.ownGeneration === 'boolean', 'The event does not state whose image it is.');
    this.spend(`Deduction ${deduction.deductionId}`, deduction, time);
    this.deductions.set(deduction.deductionId, deduction);
  }

  DeductionSettled({ allocations, ...image }, time) {
    const { ownGeneration } = this.close(image, allocations);
    this.need(ownGeneration === image.ownGeneration, 'The deduction was not made for the image of this person.');
    for (const part of allocations.filter(isPaid)) this.settle(part, image, time);
    for (const { cents, loss } of [...this.lines]) if (loss) this.post(loss, -cents);
  }

  /** A refund restores what was taken. What has lapsed since comes back for the rest of the day. */
  CreditsRefunded({ restorations, ...data }, time) {
    const restored = (part) => (hasLapsed(part, time) ? { ...part, expiresAt: nextDay(time) } : part);
    this.close(data, restorations, restored);
    for (const part of restorations) this.put(part);
  }

  DeductionVoided({ deductionId }) {
    this.once(`Deduction ${deductionId}`);
  }

  /** Ends a deduction. @param parts those that it took, after `change` */
  close({ deductionId, creatorId, amount }, parts, change = (part) => part) {
    const open = this.deductions.get(deductionId) ?? fail(`deduction ${deductionId} is not open`);
    const isSame = open.creatorId === creatorId && open.amount === amount;
    const isWhole = isSame && isEqual(open.allocations.map(change), parts);
    this.need(isWhole, 'The deduction was made with other values.');
    this.deductions.delete(deductionId);
    return open;
  }

  /* Returned money, and the debt that it leaves */

  PurchaseReversed({ lotId, reversalId, cause, amountCents, revoked, debt }, time) {
    const purchase = this.bought(lotId);
    const reversal = { lotId, amountCents, ...(CAUSES[cause] ?? fail('its cause is not known')) };
    this.once(`Reversal ${reversalId}`);
    this.reversals.set(reversalId, reversal);
    const due = this.returnCents(purchase, amountCents, reversal.cash);
    const left = this.lots.get(keyOf(purchase.lot))?.amount ?? 0;
    const isDue = revoked === Math.min(due, left) && debt === due - revoked;
    this.need(isDue, `Reversal ${reversalId} takes ${revoked} + ${debt} credits, but ${due} are due.`);
    purchase.debt += debt;
    purchase.latest = reversal;
    if (revoked > 0) this.take({ ...purchase.lot, amount: revoked }, time);
    if (debt > 0) {
      purchase.owedBy = reversal;
      this.bear(time, reversal);
    }
    return reversal.loss;
  }

  /** Gives back what no other standing reversal of the purchase takes. */
  PurchaseReinstated({ lotId, reversalId, amount }) {
    const purchase = this.bought(lotId);
    const reversal = this.reversals.get(reversalId);
    if (reversal?.lotId !== lotId) throw new Error(`${reversalId} is no reversal of this purchase that can be undone`);
    this.reversals.delete(reversalId);
    if (amount !== 0) this.put({ ...purchase.lot, amount });
    const due = -this.returnCents(purchase, -reversal.amountCents, reversal.cash);
    this.need(amount === due, `${amount} credits are given back, but ${due} are due.`);
    return reversal.loss;
  }

  /** Debt is paid of the same purchase first, then of the oldest one, by credits that have just arrived. */
  DebtRepaid({ lotId, owedForLotId, amount }, time) {
    const payer = this.bought(lotId);
    const debtor = this.bought(owedForLotId);
    this.need(amount <= payer.arrived && amount <= debtor.debt, 'More debt is paid than there is, or has arrived.');
    const first = payer.debt > 0 ? payer : [...this.purchases.values()].find(({ debt }) => debt > 0);
    this.need(debtor === first, 'The debt of another purchase must be paid first.');
    payer.arrived -= amount;
    debtor.debt -= amount;
    this.take({ ...payer.lot, amount }, time);
    if (payer !== debtor) this.payments.unshift({ payer, debtor, amount });
    this.bear(time);
    return debtor.latest?.loss;
  }

  /** Money of a purchase is returned, or comes back (below zero). @returns credits that are due for it */
  returnCents(purchase, cents, account) {
    const before = takenCredits(purchase);
    this.post(account, -cents);
    purchase.returnedCents += cents;
    return takenCredits(purchase) - before;
  }

  /* Revenue: src/revenue/README.md, 'Rules' */

  /** Credits of a purchase were spent on an image that was delivered: R(n) and H(e) of the rules. */
  settle({ lotId, amount, unitPriceCents }, { creatorId, ownGeneration }, time) {
    const purchase = this.bought(lotId);
    const { settled, earning, cents, credits } = purchase;
    const isNew = time >= this.cumulativeFrom;
    const counted = isNew && ownGeneration ? 0 : amount;
    const image = { creatorId, isNew, payableAt: time + 30 * DAY_MS, amount, left: 0, taken: new Map() };
    // `creator` and `both` are cents and the number of credits that earn them.
    image.both = isNew ? [rise(settled, amount, cents, credits), amount] : [unitPriceCents, 1];
    image.creator = isNew ? [rise(earning, counted, cents, 2 * credits), amount] : [unitPriceCents, 2];
    purchase.settled += amount;
    purchase.earning += counted;
    purchase.images.push(image);
    this.change(image, amount, time);
    if (this.owed() > 0) this.bear(time);
  }

  /**
   * Parts of an earning: the difference before and after. A correction or restoration is payable at once, or with its
   * earning.
   * @param reversal that takes credits of an image back, or took those that it gets back; none when it is delivered
   */
  change(image, credits, time, reversal) {
    const [creator, both] = [image.creator, image.both].map((value) => rise(image.left, credits, ...value));
    image.left += credits;
    if (reversal) image.taken.set(reversal, (image.taken.get(reversal) ?? 0) - credits);
    const kind = reversal ? (credits < 0 ? 'correction' : 'restoration') : 'earning';
    const payableAt = Math.max(time, image.payableAt);
    const about = { creatorId: image.creatorId, loss: reversal?.loss, kind, payableAt };
    this.post(4000, creator - both, about);
    this.post(2100, -creator, about);
  }

  /** Takes back what purchases must bear, and gives back what they no longer must. */
  bear(time, cause) {
    this.divideDebt(time);
    for (const purchase of this.purchases.values()) {
      const { images, due } = purchase;
      const missing = due - sumOf(images, ({ amount, left }) => amount - left);
      if (missing > 0) this.takeBack(purchase, missing, time, cause ?? purchase.cause);
      else this.giveBack(purchase, -missing, time);
    }
  }

  /** Earnings under the old rules are safe once they are payable; those under the new rules never are. */
  isSafe(image, time) {
    return !image.isNew && time >= image.payableAt;
  }

  /** A purchase bears its debt up to what its images can; the part beyond passes on along its payments. */
  divideDebt(time) {
    for (const purchase of this.purchases.values()) {
      const { images, debt, owedBy } = purchase;
      const reach = sumOf(images, (image) => image.amount - (this.isSafe(image, time) ? image.left : 0));
      purchase.due = Math.min(reach, debt);
      purchase.free = reach - purchase.due;
      purchase.beyond = debt - purchase.due;
      purchase.cause = debt > 0 ? owedBy : null;
    }
    for (const payment of this.payments) payment.left = payment.amount;
    // Each pass moves debt to one purchase.
    for (const payment of this.payments) while (this.passOn(payment, payment.payer) > 0);
  }

  /** Passes debt of `from` on along a payment to the nearest purchase that can bear it. @returns credits passed on */
  passOn(payment, from, credits = from.beyond, met = new Set([from])) {
    const { debtor } = payment;
    const most = Math.min(credits, payment.left);
    if (most === 0 || met.has(debtor)) return 0;
    met.add(debtor);
    let moved = Math.min(most, debtor.free);
    if (moved > 0) debtor.cause ??= from.cause;
    debtor.due += moved;
    debtor.free -= moved;
    from.beyond -= moved;
    for (const next of this.payments) if (next.payer === debtor) moved ||= this.passOn(next, from, most, met);
    payment.left -= moved;
    return moved;
  }

  /** Corrections: the latest image first. */
  takeBack({ images }, credits, time, cause) {
    let missing = credits;
    for (const image of [...images].reverse()) {
      const taken = Math.min(missing, this.isSafe(image, time) ? 0 : image.left);
      if (taken !== 0) this.change(image, -taken, time, cause);
      missing -= taken;
    }
  }

  /** Restorations: the oldest image first, and within one in the order of its reversals. */
  giveBack({ images }, credits, time) {
    let missing = credits;
    for (const image of images) {
      for (const [reversal, taken] of [...image.taken]) {
        const given = Math.min(missing, taken);
        if (given !== 0) this.change(image, given, time, reversal);
        missing -= given;
      }
    }
  }
}

/* ---------- The payment processor: docs/books.md, 'The processor' and 'Another shop on the same account' ---------- */

/** Account and contra account of the amount of a kind of transaction. */
const SIDES = { fee: [1040, 5300], payout: [1050, 1100], payoutReturned: [1050, 1100] };
const UNMATCHED = [1015, 2300];
const FEES = [1040, 5300];
const OTHER_SHOPS = [1060, 2310];

/** The balance at the payment processor, and the closed months. */
export class Processor extends Stream {
  closedUntil = Number.NEGATIVE_INFINITY;

  apply(type, data, time) {
    if (type === 'MonthClosed') return this.closeMonth(data);
    if (type === 'TransactionMatched') return this.move(UNMATCHED, -data.match.matchedCents, time);
    const createdAt = Date.parse(data.createdAt);
    // A transaction that comes after the close of its month is posted when it comes.
    const postedAt = createdAt < this.closedUntil ? time : createdAt;
    if (type === 'TransactionDisowned') this.disown(data, postedAt);
    else if (type === 'BalanceTransactionRecorded') this.record(data, postedAt);
    else fail('it is not known');
  }

  /** The part that a purchase or reversal of the ledger explains is not unmatched. */
  record({ kind, grossCents, feeCents, match }, postedAt) {
    const known = SIDES[kind] ? 0 : (match?.matchedCents ?? 0);
    this.move(SIDES[kind] ?? UNMATCHED, grossCents - known, postedAt);
    this.move(FEES, -feeCents, postedAt);
  }

  /** A transaction of another shop leaves the unmatched ones and the fees. */
  disown({ kind, grossCents, feeCents }, postedAt) {
    this.move(SIDES[kind] ?? UNMATCHED, -grossCents, postedAt);
    this.move(FEES, feeCents, postedAt);
    this.move(OTHER_SHOPS, grossCents - feeCents, postedAt);
  }

  /** docs/books.md, 'Rule 1': it ends with the last month that an older version has closed. */
  closeMonth({ month, creatorShare }) {
    const isFirst = this.closedUntil === Number.NEGATIVE_INFINITY;
    this.need(isFirst || endOf(month, 0) === this.closedUntil, `${month} is closed out of order.`);
    this.need(creatorShare || !this.isRule2, `${month} is closed by rule 1 after a month of rule 2.`);
    this.isRule2 = creatorShare !== null;
    this.closedUntil = endOf(month);
  }

  move([account, contraAccount], cents, postedAt) {
    if (!Number.isFinite(postedAt)) fail('it has no time');
    this.post(account, cents, { postedAt });
    this.post(contraAccount, -cents, { postedAt });
  }
}

/** The class of a stream, by its name. */
const KINDS = { 'creditAccount-': Account, 'creatorPayout-': Payouts, 'creatorEarnings-': Earnings };

function kindOf(stream) {
  return stream === 'processor' ? Processor : (KINDS[/^\w+-/.exec(stream)?.[0]] ?? Stream);
}

/* ---------- The books: docs/books.md, 'Chart of accounts' and 'Verification' ---------- */

/** Accounts of a trial balance by rule 1 only, which divides 2100 among the first three. docs/books.md, 'Rule 1'. */
const RULE_1 = [1200, 2110, 2120, 2140];
/** The accounts of docs/books.md. Those of the processor (*) are unknown before its first entry. */
const CHART = `1010 Processor cash: payments received, 1015 Processor cash: not in the ledger*,
  1020 Processor cash: refunds paid, 1030 Processor cash: chargebacks, 1040 Processor cash: fees withheld*,
  1050 Processor cash: transfers to the bank*, 1060 Processor cash: other shops*, 1100 Bank*, 1200 Creator debt,
  2000 Customer credits (deferred revenue), 2050 Promotional credits, 2100 Creator share, 2110 Creator share: pending,
  2120 Creator share: payable, 2130 Creator share: payouts under way, 2140 Creator share: paid,
  2300 Unmatched receipts*, 2310 Other shops*, 4000 Platform revenue, 4100 Forfeited credits,
  4200 Remainders of prices, 5100 Losses from refunds, 5200 Losses from chargebacks, 5300 Processor fees*`;

/** Sums of the lines of all events: by account at an instant of a rule, and by creator. */
export class Books {
  cents = {};
  /** Signed like cents. */
  credits = {};
  creators = new Map();
  knowsProcessor = false;

  constructor(until, rule = 2) {
    this.until = until;
    this.rule = rule;
  }

  /** @param time of the event that makes the lines */
  add(lines, time) {
    for (const line of lines) {
      const { account, cents, credits = 0, postedAt } = line;
      if ((postedAt ?? time) <= this.until) {
        this.cents[account] = this.centsOf(account) + cents;
        this.credits[account] = (this.credits[account] ?? 0) + credits;
      }
      if (postedAt <= this.until && cents !== 0) this.knowsProcessor = true;
      if (line.creatorId !== undefined) this.addToCreator(line, time);
    }
  }

  addToCreator({ account, cents, creatorId, payableAt }, time) {
    const sum = this.creators.get(creatorId) ?? { creatorId, cents: 0, payableCents: 0, payoutCents: 0, months: {} };
    this.creators.set(creatorId, sum);
    if (account === 2120 && time <= this.until) sum.payoutCents += cents;
    if (account !== 2100) return;
    const month = isoOf(time).slice(0, 7);
    sum.months[month] = (sum.months[month] ?? 0) - cents;
    sum.cents -= cents;
    if (payableAt <= this.until) sum.payableCents -= cents;
  }

  centsOf(account) {
    return this.cents[account] ?? 0;
  }

  /** How 2100 is divided at the instant: the payable cents of a creator, less their payouts, may be a debt. */
  parts() {
    const creators = [...this.creators.values()];
    const left = creators.map(({ payableCents, payoutCents }) => payableCents - payoutCents);
    const pending = this.centsOf(2100) + sumOf(creators, ({ payableCents }) => payableCents);
    return {
      pendingCents: 0 - pending,
      payableCents: sumOf(left, (cents) => Math.max(0, cents)),
      debtCents: sumOf(left, (cents) => Math.max(0, -cents)),
    };
  }

  /** Cents of accounts that are not those of the lines, which are made by rule 1. */
  moved() {
    if (this.rule === 1) {
      const { pendingCents, payableCents, debtCents } = this.parts();
      return { 1200: debtCents, 2110: 0 - pendingCents, 2120: 0 - payableCents };
    }
    // A payout leaves 2100 for 2130 and then the bank.
    return { 1100: this.centsOf(1100) + this.centsOf(2140), 2100: this.centsOf(2100) + this.centsOf(2120) };
  }

  /** Every account with its cents; null where they are unknown. */
  trialBalance() {
    const known = { ...this.cents, ...this.moved() };
    const rows = Array.from(CHART.matchAll(/(\d{4}) ([^,*]+)(\*?)/g), ([, number, name, isOfProcessor]) => {
      const account = Number(number);
      const isUnknown = isOfProcessor && !this.knowsProcessor;
      if (isUnknown && account === 1100 && this.rule !== 1) {
        return { account, name: `${name} (payouts only)`, cents: known[account] };
      }
      return { account, name, cents: isUnknown ? null : (known[account] ?? 0) };
    });
    return rows.filter(({ account }) => (this.rule === 1 ? account !== 2100 : !RULE_1.includes(account)));
  }
}

/** Compares the figures of a closed month with the books of its end. docs/books.md, 'Closed months'. */
function compareMonth({ month, balances, creatorShare = null }, months, { at: time, need }) {
  const books = months.get(month);
  need(time > books.until, `${month} was closed before its end.`);
  const closed = new Map(balances.map(({ account, cents }) => [account, cents]));
  need(closed.size === balances.length, `An account is twice in the figures of ${month}.`);
  for (const { account, credits } of balances) {
    const due = books.credits[account] ?? 0;
    need(credits === due, `Account ${account} had ${due} credits at the end of ${month}.`);
  }
  const due = new Map(books.trialBalance().map(({ account, cents }) => [account, cents ?? undefined]));
  for (const account of new Set([...due.keys(), ...closed.keys()])) {
    const cents = due.get(account);
    const found = closed.get(account);
    // Months that were closed before these accounts existed lack them.
    const isLater = OTHER_SHOPS.includes(account) && cents === 0 && found === undefined;
    need(isLater || cents === found, `Account ${account} had ${cents ?? 'unknown'} cents at the end of ${month}.`);
  }
  const parts = books.rule === 1 ? null : books.parts();
  need(isEqual(creatorShare, parts), `2100 was divided in ${canonical(parts)} at the end of ${month}.`);
}

/* ---------- The public log: docs/ledger-audit.md, 'The public log' and 'What a checkpoint covers' ---------- */

const TILE_WIDTH = 256;
/** Bytes of an entry in a tile: its length, and a hash. */
const ENTRY_BYTES = 34;

/** The place of each entry of the log. It must have the entries of its checkpoint and of the kept ones. */
async function readLog({ checkpoint, kept = [], read }, keys, complain) {
  const signed = await Promise.all([checkpoint, ...kept].map((note) => openCheckpoint(note, keys)));
  const [{ size }] = signed;
  const tree = new Tree();
  const places = new Map();
  for (let from = 0; from < size; from += TILE_WIDTH) {
    for (const entry of await readTile(read, from, Math.min(TILE_WIDTH, size - from))) {
      places.set(hexOf(entry), tree.size);
      await tree.add(entry);
      for (const { root } of signed.filter((each) => each.size === tree.size)) {
        if (root === (await tree.root())) continue;
        complain(`Leaves 0 to ${tree.size - 1} are not those of a signed checkpoint.`);
      }
    }
  }
  if (places.size !== size) complain('The log has an entry twice.');
  for (const each of signed) if (each.size > size) complain(`Leaves from ${size} to ${each.size - 1} are missing.`);
  return places;
}

/** Reads an address. A site that has had too many requests says when it can be asked again. */
export async function fetchBytes(address, wait = pause) {
  for (let attempts = 1; ; attempts += 1) {
    const response = await globalThis.fetch(address);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    if (response.status !== 429 || attempts === MOST_ATTEMPTS) throw new Error(`${address}: ${response.status}`);
    await wait(Math.min(LONGEST_PAUSE, Number(response.headers.get('Retry-After')) || LONGEST_PAUSE));
  }
}

function pause(seconds) {
  return new Promise((resolve) => {
    globalThis.setTimeout(resolve, seconds * 1000);
  });
}

/** The entries of a tile (C2SP tlog-tiles). @throws Error when it has others than `width` */
async function readTile(read, from, width) {
  const digits = String(from / TILE_WIDTH);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const name = `tile/entries/${padded.replace(/\d{3}(?=\d)/g, 'x$&/')}`;
  const tile = await read(width < TILE_WIDTH ? `${name}.p/${width}` : name);
  if (tile.length !== width * ENTRY_BYTES) throw new Error(`The log has no ${width} leaves from ${from} on.`);
  return Array.from({ length: width }, (_entry, index) =>
    tile.slice(index * ENTRY_BYTES + 2, (index + 1) * ENTRY_BYTES),
  );
}

/* ---------- An export: docs/ledger-audit.md, 'The verifier' and 'The files' ---------- */

/**
 * Verifies an export and recomputes all balances, the cents of all creators and the trial balance. `lines` returns the
 * lines of the file, `keys` and `rotations` are texts. `log` is null, or has texts of its `checkpoint` and of `kept`
 * ones, and `read`, which returns bytes of the log. `later` counts its events that came after the export.
 */
export async function verifyExport({ lines, log, allowNewer, allowLater, ...trust }, complain) {
  const accepted = await acceptKeys(trust, complain);
  const outline = await readOutline(lines);
  const manifest = await openManifest(outline.last, accepted, complain);
  const trusted = Array.from(accepted.values(), ({ key }) => key);
  const places = log && (await readLog(log, trusted, complain));
  const pass = new ExportPass(outline, Date.parse(manifest.startedAt), places, complain);
  for await (const line of lines()) {
    if (pass.tree.size === outline.count - 1) break; // The manifest
    await pass.add(line);
  }
  await pass.end(manifest, { allowNewer, allowLater });
  const { books, found } = pass;
  const creatorShare = books.rule === 1 ? null : books.parts();
  return { ...found, creators: [...books.creators.values()], trialBalance: books.trialBalance(), creatorShare };
}

/** The parts at the end of the file: the rule of revenue, the closed months, and the manifest. */
async function readOutline(lines) {
  const outline = {
    months: new Map(),
    cumulativeFrom: null,
    rule2Begins: Number.NEGATIVE_INFINITY,
    count: 0,
    last: '',
  };
  for await (const line of lines()) {
    outline.count += 1;
    outline.last = line;
    const { event } = /"type":"(?:RevenueRuleAdopted|MonthClosed)"/.test(line) ? parseLine(line) : {};
    if (event?.stream === 'policy') outline.cumulativeFrom ??= Date.parse(event.data.effectiveFrom);
    const { month, schemaVersion } = event?.type === 'MonthClosed' ? event.data : {};
    if (!month) continue;
    outline.months.set(month, new Books(endOf(month) - 1, schemaVersion));
    if (schemaVersion === 1) outline.rule2Begins = Math.max(outline.rule2Begins, endOf(month));
  }
  return outline;
}

/** One pass over the lines of an export: streams one after the other, each with its events and then its head. */
class ExportPass {
  tree = new Tree();
  /** Streams that have begun. */
  seen = new Set();
  /** The stream of the line before, until its head. */
  chain = null;
  /** The place of its last event in the log. */
  place = -1;
  /** The greatest place of an event from before the export: it has all events of the log up to there. */
  reach = -1;
  /** Recorded shares that no event has made yet, as texts by their reference. */
  recorded = new Map();
  /** Events that the checkpoint does not cover. */
  newer = [];

  constructor({ months, cumulativeFrom, rule2Begins }, until, places, complain) {
    Object.assign(this, { months, cumulativeFrom, until, places, complain });
    this.books = new Books(until, until < rule2Begins ? 1 : 2);
    this.found = { events: 0, streams: 0, newer: 0, later: 0, until, accounts: [] };
  }

  async add(line) {
    await this.tree.add(bytesOf(line));
    const { event, head } = parseLine(line);
    const { chain } = this;
    const isNext = event && (chain ? chain.stream === event.stream : !this.seen.has(event.stream));
    const isHead = head && chain?.stream === head.stream && head.version === chain.version && head.hash === chain.hash;
    if (isNext && event.data && event.metadata) await this.addEvent(event);
    else if (isHead) this.endStream();
    else this.complain('A line is neither an event nor a head in its place.');
  }

  async addEvent(event) {
    const { stream, type } = event;
    if (this.chain === null) {
      this.chain = new (kindOf(stream))(stream, this.complain, this.cumulativeFrom);
      this.place = -1;
    }
    const { chain } = this;
    this.seen.add(stream);
    this.found.events += 1;
    if (this.places) this.findInLog(event);
    await chain.add(event);
    // By clocks that differ, an event may be stored behind the begin of the export and dated before it.
    if (chain.at <= this.until - CLOCKS_DIFFER_MS) this.reach = Math.max(this.reach, this.place);
    for (const each of [this.books, ...this.months.values()]) each.add(chain.lines, chain.at);
    if (stream === 'processor' && type === 'MonthClosed') compareMonth(event.data, this.months, chain);
    await compareShares(event.id, chain, this.recorded, this.until - RECORDED_WITHIN_MS);
  }

  /** The log has the events of a stream in their order. What is newer than the checkpoint comes last. */
  findInLog({ stream, version, metadata: { hash } }) {
    const own = this.places.get(hash);
    this.places.delete(hash);
    if (own === undefined) {
      this.found.newer += 1;
      if (this.found.newer <= MOST_NAMED) this.newer.push(`${stream} @ ${version}`);
    }
    if (own < this.place) this.complain(`${stream} @ ${version}: The log lacks the event before it, or has it later.`);
    this.place = own ?? Infinity;
  }

  endStream() {
    const { chain, found } = this;
    found.streams += 1;
    chain.end?.();
    const { owner: userId, version } = chain;
    if (chain instanceof Account) found.accounts.push({ userId, version, ...chain.balance(this.until) });
    for (const [reference, { text }] of chain.shares ?? []) this.recorded.set(reference, text);
    this.chain = null;
  }

  /** Nothing may be left at the end. */
  async end(manifest, { allowNewer, allowLater }) {
    const { chain, recorded, found, newer, complain } = this;
    const root = await this.tree.root();
    const some = (values) => [...values].slice(0, MOST_NAMED);
    if (chain) complain(`${chain.stream}: The stream has no head.`);
    if (recorded.size > 0) complain(`No event makes ${recorded.size} shares: ${some(recorded.values())}.`);
    if (manifest.merkleRoot !== root) complain('The lines are not those of the manifest.');
    const places = [...(this.places?.values() ?? [])];
    const missing = places.filter((place) => place < this.reach);
    found.later = places.length - missing.length;
    if (missing.length > 0) complain(`${missing.length} events of the log are missing: ${some(missing)}.`);
    if (found.later > 0 && !allowLater)
      complain(`The log has ${found.later} later ${found.later === 1 ? 'event' : 'events'}.`);
    if (found.newer > 0 && !allowNewer) complain(`The checkpoint does not cover ${found.newer} events: ${newer}.`);
  }
}

/* ---------- A statement: docs/ledger-audit.md, 'The statement of a fan' and 'The statement of a creator' ---------- */

/**
 * Verifies the events of an account or the shares of a creator. A checkpoint covers the last hash, which fixes all
 * before. `keys` and `rotations` are texts. @returns null when no checkpoint covers it
 */
export async function verifyStatement({ text, ...trust }, complain) {
  const { statement, lines, proof } = readStatement(text);
  const accepted = await acceptKeys(trust, complain);
  const keys = Array.from(accepted.values(), ({ key }) => key);
  const chain = new (kindOf(statement.stream))(statement.stream, complain);
  const isOwn = ({ event }) =>
    event?.stream === statement.stream && typeof event.metadata?.hash === 'string' && event.data;
  if (!lines.every(isOwn)) complain('A line is no event of the stream.');
  for (const { event } of lines.filter(isOwn)) await chain.add(event);
  chain.end?.();
  const entry = fromHex(chain.hash ?? '');
  const checkpoint = await provenBy(proof, entry, keys).catch(({ message }) => void complain(message));
  if (!checkpoint) return null;
  const time = timeOf(statement, chain, complain);
  return { stream: chain.stream, events: chain.version + 1, at: time, balance: chain.balance(time), checkpoint };
}

/** The parts of a statement. @throws Error for another file */
function readStatement(text) {
  const lines = text.split('\n').slice(0, -1).map(parseLine);
  const { statement } = lines.shift() ?? {};
  const { proof } = lines.pop() ?? {};
  const isFormat = statement?.format === 'fanvas-statement' && statement.formatVersion === 1;
  const isStatement = isFormat && kindOf(statement.stream).prototype.balance && typeof proof === 'string';
  return isStatement ? { statement, lines, proof } : fail('This is no statement.');
}

/** The time of the balance. No hash covers that of a statement, but it lies behind its events and not in the future. */
function timeOf(statement, chain, complain) {
  if (!isTime(statement.at)) complain('The statement has no time.');
  const time = isTime(statement.at) ? Date.parse(statement.at) : chain.at;
  if (time > Date.now() + CLOCKS_DIFFER_MS) complain('The statement is dated in the future.');
  return Math.max(time, chain.at);
}

/** The checkpoint whose tree has an entry, as a proof (C2SP tlog-proof) shows. @throws Error otherwise */
async function provenBy(proof, entry, keys) {
  const [, index, lines, note] =
    /^c2sp\.org\/tlog-proof@v1\n(?:extra .*\n)?index (\d{1,15})\n((?:.+\n)*)\n([^]*)$/.exec(proof) ?? [];
  const checkpoint = await openCheckpoint(note ?? '', keys);
  const path = lines.match(/.+/g)?.map(fromBase64) ?? [];
  const isLeaf = Number(index) < checkpoint.size;
  const root = isLeaf && hexOf(await rootFrom(await leafOf(entry), Number(index), checkpoint.size, path));
  if (root !== checkpoint.root || path.length > 0) throw new Error(`Leaf ${index} is not the last event.`);
  return checkpoint;
}

/* ---------- The command line ---------- */

async function main() {
  const { command, file, values } = await readArguments();
  let problems = 0;
  const complain = (sentence) => {
    problems += 1;
    if (problems <= MOST_PRINTED) process.stderr.write(`${sentence}\n`);
  };
  if (command === 'export') await printExport(file, values, complain, () => problems);
  else await printStatement(file, values, complain, () => problems);
  return problems === 0 ? 0 : 1;
}

const USAGE = `Usage:
  node verify-fanvas.mjs export <file> --key <file> [--rotations <file>] [--json]
      (--log <address or folder> [--checkpoint <kept copy>]... [--allow-newer] [--allow-later] | --without-log)
  node verify-fanvas.mjs statement <file> [--key <file>] [--rotations <file>]
Exit code 0: all holds. 1: it does not. 2: it could not be checked.`;

/** @throws Error when the arguments do not fit */
async function readArguments() {
  const { parseArgs } = await import('node:util');
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const texts = { key: text, rotations: text, log: text, checkpoint: { ...text, multiple: true, default: [] } };
  const options = { ...texts, 'without-log': flag, json: flag, 'allow-newer': flag, 'allow-later': flag };
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [command, file, ...others] = positionals;
  const isCompared = values.log || values.checkpoint.length === 0;
  const isExport = command === 'export' && values.key && Boolean(values.log) !== Boolean(values['without-log']);
  const isKnown = isExport || command === 'statement';
  if (!file || others.length > 0 || !isKnown || !isCompared) throw new Error(USAGE);
  return { command, file, values };
}

async function printExport(file, values, complain, countProblems) {
  const { createReadStream } = await import('node:fs');
  const folder = values.log?.replace(/\/$/, '');
  const log = folder && {
    read: (name) => bytesAt(`${folder}/${name}`),
    checkpoint: await textAt(`${folder}/checkpoint`),
    kept: await Promise.all(values.checkpoint.map(textAt)),
  };
  const lines = () => splitLines(createReadStream(file, 'utf8'));
  const allowed = { allowNewer: values['allow-newer'], allowLater: values['allow-later'] };
  const input = { lines, log, ...allowed, ...(await readTrust(values)) };
  const { accounts, creators, trialBalance, creatorShare, ...counts } = await verifyExport(input, complain);
  const credits = sumOf(accounts, ({ total }) => total);
  const owed = sumOf(accounts, (account) => account.owed);
  const sums = { ...counts, credits, owed, creatorCents: sumOf(creators, ({ cents }) => cents) };
  const problems = countProblems();
  say(JSON.stringify({ ...sums, ...(values.json && { accounts, creators, trialBalance, creatorShare }), problems }));
  if (values.json) return;
  for (const line of tableOf(trialBalance, creatorShare)) say(line);
  say(problems === 0 ? 'All holds.' : `${problems} problems were found.`);
}

async function printStatement(file, values, complain, countProblems) {
  const text = await textAt(file);
  const found = await verifyStatement({ text, ...(await readTrust(values, text)) }, complain);
  if (countProblems() > 0) return say('No: the statement is not true.');
  const { stream, events, at: time, balance, checkpoint } = found;
  say(`${stream}: ${events} events. Balance as of ${isoOf(time)}: ${canonical(balance)}.`);
  const key = values.key ? 'your key' : 'the key that this site publishes';
  say(`Yes: checkpoint ${checkpoint.size} of ${checkpoint.origin} covers it, by ${key}.`);
}

/** Texts of the key and its rotations: those of the arguments, or else those of the site that has made a statement. */
async function readTrust({ key, rotations }, statement) {
  if (key) return { keys: [await textAt(key)], rotations: rotations && (await textAt(rotations)) };
  const origin = /\n\n(.*)/.exec(readStatement(statement).proof)?.[1] ?? '';
  const site = `${/^(?:localhost|127\.)/.test(origin) ? 'http' : 'https'}://${origin}`;
  const keys = [await textAt(`${site}/key`)];
  return { keys, rotations: await textAt(rotations ?? `${site}/key-rotations.ndjson`) };
}

/** The lines of a table of the trial balance in dollars, a debit above zero, and the parts of 2100. */
function* tableOf(trialBalance, creatorShare) {
  const dollars = (cents) => (cents === null ? 'unknown' : (cents / 100).toFixed(2)).padStart(15);
  for (const { account, name, cents } of trialBalance) yield `${account} ${name.padEnd(40)}${dollars(cents)}`;
  const debits = sumOf(trialBalance, ({ cents }) => Math.max(0, cents));
  const credits = sumOf(trialBalance, ({ cents }) => Math.min(0, cents));
  yield `Total ${'of debits and of credits'.padEnd(39)}${dollars(debits)}${dollars(credits)}`;
  for (const [name, cents] of Object.entries(creatorShare ?? {})) {
    const signed = name === 'debtCents' ? cents : 0 - cents;
    yield `2100 ${`of it ${name.replace('Cents', '')}`.padEnd(40)}${dollars(signed)}`;
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

async function textAt(place) {
  return new globalThis.TextDecoder().decode(await bytesAt(place));
}

async function bytesAt(place) {
  return /^https?:/.test(place) ? fetchBytes(place) : (await import('node:fs/promises')).readFile(place);
}

/** Whether Node was started with this file, under any name. */
async function isStarted() {
  const { realpath } = await import('node:fs/promises');
  const { pathToFileURL } = await import('node:url');
  const path = await realpath(process.argv[1] ?? '').catch(() => '');
  return import.meta.url === pathToFileURL(path).href;
}

if (nodeHash && (await isStarted())) {
  process.exitCode = await main().catch(({ message }) => {
    process.stderr.write(`${message}\n`);
    return 2;
  });
}
