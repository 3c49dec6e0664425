#!/usr/bin/env node
/**
 * Verifies the credit ledger of a Fanvas site from outside, with Node 20 or in a browser. It shares no code with the
 * product: it follows docs/events.md, ledger-audit.md and books.md, and the rules in src/credits and src/revenue.
 *
 *   node verify-fanvas.mjs export <file> --key <file> (--log <address or folder> | --without-log)
 *                                 [--checkpoint <kept copy>]... [--rotations <file>] [--allow-newer] [--json]
 *   node verify-fanvas.mjs statement <file> [--key <file>]
 * Exit code 0: all holds. 1: it does not. 2: it could not be checked.
 */
const nodeHash = globalThis.process?.versions?.node && (await import('node:crypto')).createHash;
const { subtle } = globalThis.crypto;
const DAY_MS = 86_400_000;
const [ACCOUNT, PAYOUTS, EARNINGS] = ['creditAccount-', 'creatorPayout-', 'creatorEarnings-'];
const bytesOf = (text) => new globalThis.TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const fromBase64 = (text) => Uint8Array.from(globalThis.atob(text), (character) => character.charCodeAt(0));
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const sha256 = async (bytes) =>
  new Uint8Array(nodeHash?.('sha256').update(bytes).digest() ?? (await subtle.digest('SHA-256', bytes)));
const hashOf = async (text) => hex(await sha256(bytesOf(text)));
const SPKI = fromHex('302a300506032b6570032100'); // Before the bytes of an Ed25519 key in DER
const fingerprintOf = async (key) => hex(await sha256(join(SPKI, key)));
const isSigned = async (bytes, signature, key) =>
  subtle.verify('Ed25519', await subtle.importKey('raw', key, 'Ed25519', false, ['verify']), signature, bytes);
/** JSON as RFC 8785 writes it. @throws TypeError for a value that JSON cannot hold */
export function canonical(value) {
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('Text has half a character.');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number is too large.');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(',')}}`;
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

const leafOf = (entry) => sha256(join([0], entry));
const nodeOf = (left, right) => sha256(join([1], left, right));
/** The Merkle tree of RFC 6962, section 2.1, leaf by leaf. */
export class Tree {
  size = 0;
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
    return hex(root);
  }
}
/** A public key in PEM, or as a verifier key (C2SP signed-note). @throws Error for other text */
function readKey(text) {
  const pem = /-----BEGIN PUBLIC KEY-----([\sA-Za-z0-9+/=]+)-----END/.exec(text);
  const bytes = fromBase64(pem ? pem[1].replace(/\s/g, '') : text.trim().replace(/^[^+]*\+[^+]*\+/, ''));
  if (hex(bytes.slice(0, -32)) !== (pem ? hex(SPKI) : '01')) throw new Error('This is no Ed25519 public key.');
  return bytes.slice(-32);
}
/** The trusted keys and those that rotations connect with them, each with the rotation that replaced it. */
async function acceptKeys(trusted, rotations, complain) {
  const accepted = new Map();
  for (const key of trusted) accepted.set(await fingerprintOf(key), { key });
  for (const { oldSignature, newSignature, ...record } of rotations.flatMap(() => rotations)) {
    const [oldKey, newKey] = [record.oldPublicKey, record.newPublicKey].map((der) => fromBase64(der).slice(-32));
    const [old, next] = [await fingerprintOf(oldKey), await fingerprintOf(newKey)];
    const isBy = (signature, key) => isSigned(bytesOf(canonical(record)), fromBase64(signature), key);
    const isByBoth = (await isBy(oldSignature, oldKey)) && (await isBy(newSignature, newKey));
    if (!isByBoth || (!accepted.has(old) && !accepted.has(next))) continue;
    const known = accepted.get(old)?.replaced ?? record;
    if (known.newPublicKey !== record.newPublicKey) complain(`Key ${old} has two successors.`);
    accepted.set(old, { key: oldKey, replaced: known.number < record.number ? known : record });
    accepted.set(next, accepted.get(next) ?? { key: newKey });
  }
  return accepted;
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
      const id = (await sha256(join(bytesOf(`${name}\n`), [1], key))).slice(0, 4);
      if (hex(id) === hex(signature.slice(0, 4))) results.push(await isSigned(bytesOf(text), signature.slice(4), key));
    }
  }
  if (!results.length || results.includes(false)) throw new Error('No trusted key has signed the checkpoint.');
  return { origin, size: Number(size), root: hex(fromBase64(root)) };
}

const isPaid = ({ kind }) => kind === 'paid';
const isAmount = (value) => Number.isSafeInteger(value) && value > 0;
const sumOf = (parts, valueOf = ({ amount }) => amount) => parts.reduce((sum, part) => sum + valueOf(part), 0);
/** `n` parts of `total`, of which there are `parts`, rounded down. With `parts - 1` as `more` it is rounded up. */
const portion = (n, total, parts, more = 0) => Number((BigInt(n) * BigInt(total) + BigInt(more)) / BigInt(parts));
const nextDay = (at) => new Date((Math.floor(at / DAY_MS) + 1) * DAY_MS).toISOString();
const keyOf = ({ lotId, expiresAt }) => `${lotId} ${expiresAt}`;
const partOf = ({ lotId, kind, amount, unitPriceCents, expiresAt }) => [lotId, kind, amount, unitPriceCents, expiresAt];
const sameParts = (some, others) => canonical(some.map(partOf)) === canonical(others.map(partOf));
const lapsed = ({ expiresAt }, at) => expiresAt !== null && Date.parse(expiresAt) <= at;

/** A stream of events. If it has neither an account nor payouts, its chain and times are all that is checked. */
export class Stream {
  constructor(stream, complain) {
    Object.assign(this, { stream, version: -1, hash: null, at: Number.NEGATIVE_INFINITY, readable: true, lines: [] });
    this.need = (holds, words) => holds || complain(`${stream} @ ${this.version}: ${words}`);
  }
  /** Checks the next event. @returns the lines that it makes in the books; their cents sum to zero */
  async add({ version, id, type, data, metadata: { hash, ...metadata } }) {
    this.need(version === this.version + 1, `Event ${this.version + 1} is missing.`);
    this.version = version;
    const due = await hashOf(canonical([this.hash, this.stream, version, id, type, data, metadata]));
    this.need(hash === due, 'The hash is not that of the event and the one before it.');
    this.need(metadata.eventId === id, 'The event has two ids.');
    this.hash = hash;
    const at = Date.parse(metadata.occurredAt);
    this.need(!Number.isNaN(at) && new Date(at).toISOString() === metadata.occurredAt, 'The event has no time.');
    this.need(at >= this.at || type === 'ClockRepaired', 'The event occurred before the one before it.');
    this.lines = [];
    try {
      if (this.readable) this.apply?.(type, data, at, metadata);
    } catch ({ message }) {
      this.readable = false;
      this.need(false, `${type} cannot be read: ${message}.`);
    }
    this.at = at;
    return this.readable ? this.lines : [];
  }
  /** Adds a line: cents of an account of docs/books.md, a debit above zero. */
  post(account, cents, about) {
    if (!Number.isInteger(cents)) throw new Error(`${cents} is no number of cents`);
    this.lines.push({ account, cents, ...about });
  }
}
/** The account of the books that has the amount of a payout after each event, and the events that it may follow. */
const PAYOUT_STEPS = {
  PayoutDrafted: [2120, 'nothing'],
  PayoutFixed: [2130, 'PayoutDrafted'],
  PayoutChecked: [2130, 'PayoutFixed'],
  PayoutPaid: [2140, 'PayoutChecked', 'PayoutFailed'],
  PayoutFailed: [2120, 'PayoutChecked', 'PayoutPaid'],
  PayoutCancelled: [2120, 'PayoutDrafted', 'PayoutFixed', 'PayoutChecked'],
};
/** The payouts of one creator. */
export class Payouts extends Stream {
  payouts = new Map();
  apply(type, { schemaVersion, payoutId, payableCents, paidCents, amountCents }) {
    if (type === 'PayoutsHeld') return;
    const [account, ...earlier] = (schemaVersion === 1 && PAYOUT_STEPS[type]) || [];
    if (!account) throw new Error('it is not known');
    const last = this.payouts.get(payoutId) ?? { type: 'nothing', account: 2120 };
    this.need(earlier.includes(last.type), `${type} cannot follow ${last.type}.`);
    const paid = sumOf([...this.payouts.values()].filter((payout) => payout.account === 2140));
    const isSum = type === 'PayoutDrafted' || type === 'PayoutFixed';
    const amount = isSum ? payableCents - paid : last.amount;
    const isRight = isAmount(amount) && (amountCents ?? amount) === amount && (paidCents ?? paid) === paid;
    this.need(isRight, `The amount of the payout is ${amount} cents, not ${amountCents}.`);
    this.payouts.set(payoutId, { type, account, amount });
    const creatorId = this.stream.slice(PAYOUTS.length);
    this.post(last.account, amount, { creatorId });
    this.post(account, -amount, { creatorId });
  }
}
/** The shares of one creator: what was earned, taken back (`correction`) and given back (`restoration`). */
export class Earnings extends Stream {
  shares = new Map();
  apply(type, { schemaVersion, reference, kind, cents, earnedAt, payableAt, ...others }, at) {
    if (type !== 'EarningPosted' || schemaVersion !== 1) throw new Error('it is not known');
    const isGain = kind === 'earning' || kind === 'restoration';
    const fits = isGain ? isAmount(cents) : kind === 'correction' && isAmount(-cents);
    const isPlain = Object.keys(others).length === 0 && Date.parse(earnedAt) <= at;
    this.need(fits && isPlain && !this.shares.has(reference), 'This is no share, or it is recorded a second time.');
    const text = [this.stream.slice(EARNINGS.length), kind, payableAt, cents, earnedAt].join(' ');
    this.shares.set(reference, { kind, cents, payableAt: Date.parse(payableAt), text });
  }
  /** Cents that were earned, and that were taken back less what was given back; and what is payable of both. */
  balance(at) {
    const sums = { earnedCents: 0, correctedCents: 0, payableCents: 0, pendingCents: 0 };
    for (const { kind, cents, payableAt } of this.shares.values()) {
      sums[kind === 'earning' ? 'earnedCents' : 'correctedCents'] += cents;
      sums[payableAt <= at ? 'payableCents' : 'pendingCents'] += cents;
    }
    return sums;
  }
}
/** Compares the shares that an event of an account makes with the recorded ones, and removes these. */
async function compareShares({ id }, lines, { at, need }, { recorded, due }) {
  const iso = (time) => new Date(time).toISOString();
  const shares = lines
    .filter(({ account, cents }) => account === 2100 && cents !== 0)
    .map((line) => [line.creatorId, line.kind, iso(line.payableAt), -line.cents, iso(at)].join(' '));
  for (const [place, share] of shares.sort().entries()) {
    const reference = await hashOf(`${id} ${place}`);
    const found = recorded.get(reference) ?? (at <= due ? 'nothing' : share);
    need(found === share, `The share is "${share}", but "${found}" is recorded.`);
    recorded.delete(reference);
  }
}
/** The class of a stream, by its name. */
const kindOf = (stream) =>
  ({ [ACCOUNT]: Account, [PAYOUTS]: Payouts, [EARNINGS]: Earnings })[/^\w+-/.exec(stream)?.[0]] ?? Stream;
/** For the cause of a reversal: the accounts of the cash that it takes, and of the loss. */
const CAUSES = { refund: [1020, 5100], dispute: [1030, 5200] };
/** One account, with a method for each event. The new rules of revenue hold from `cumulativeFrom` on; null: never. */
export class Account extends Stream {
  constructor(stream, complain, cumulativeFrom = null) {
    super(stream, complain);
    const maps = { ids: new Set(), lots: new Map(), ages: new Map(), deductions: new Map(), arrived: new Map() };
    Object.assign(this, { ...maps, purchases: new Map(), reversals: new Map(), payments: [] });
    Object.assign(this, { cumulativeFrom, unearned: 0 });
  }
  /** The methods of events return the account of the books for what is missing for zero. */
  apply(type, data, at, metadata) {
    const newest = type === 'CreditsDeducted' || type === 'DeductionSettled' ? 2 : 1;
    if (![1, newest].includes(data.schemaVersion) || !/^[A-Z]/.test(type)) throw new Error('it is not known');
    if (type !== 'DebtRepaid') this.end();
    const rest = this[type](data.schemaVersion < newest ? { ...data, ownGeneration: false } : data, at, metadata);
    const unearned = this.unearnedCents();
    this.post(2000, this.unearned - unearned);
    this.unearned = unearned;
    this.post(rest ?? 4200, -sumOf(this.lines, ({ cents }) => cents));
  }
  /** Credits that have just arrived must pay debt. */
  end() {
    const left = [...this.arrived.values()].some((amount) => amount > 0);
    this.need(!left || this.owed === 0, 'Credits arrived in bought lots, but did not pay the debt.');
    this.arrived.clear();
  }
  once = (id) => this.need(!this.ids.has(id) && this.ids.add(id), `${id} is made a second time.`);
  get owed() {
    return sumOf([...this.purchases.values()], ({ debt }) => debt);
  }
  /** Credits that can be spent at an instant, those of open deductions, and the debt. */
  balance(at) {
    const kinds = { daily: 0, bonus: 0, paid: 0 };
    for (const lot of this.lots.values()) if (!lapsed(lot, at)) kinds[lot.kind] += lot.amount;
    const open = sumOf([...this.deductions.values()]);
    return { ...kinds, total: kinds.daily + kinds.bonus + kinds.paid, open, owed: this.owed };
  }
  /** Cents of the bought credits that are unspent or in open deductions: their part of each price, rounded up. */
  unearnedCents() {
    const parts = [...this.lots.values(), ...[...this.deductions.values()].flatMap(({ allocations }) => allocations)];
    return sumOf([...this.purchases], ([lotId, { credits, cents }]) => {
      const unspent = sumOf(parts.filter((part) => part.lotId === lotId));
      return unspent === 0 ? 0 : portion(unspent, cents, credits, credits - 1);
    });
  }
  /** Adds credits to a lot. Those that arrive in a bought lot must pay debt. */
  put(part, isNew = false) {
    const { lotId, amount } = part;
    const purchase = this.purchases.get(lotId);
    this.need(isAmount(amount), `${amount} is no number of credits.`);
    const mustPay = this.owed > 0 && purchase && (isNew || purchase.reversed > 0);
    if (mustPay) this.arrived.set(lotId, (this.arrived.get(lotId) ?? 0) + amount);
    if (isNew) this.once(`Lot ${lotId}`);
    if (isNew) this.ages.set(lotId, this.ages.size);
    this.lots.set(keyOf(part), { ...part, amount: amount + (this.lots.get(keyOf(part))?.amount ?? 0) });
  }
  take(part, at) {
    const lot = this.lots.get(keyOf(part)) ?? { amount: 0 };
    const isSame = lot.kind === part.kind && lot.unitPriceCents === part.unitPriceCents && !lapsed(lot, at);
    this.need(isSame && isAmount(part.amount) && lot.amount >= part.amount, `Lot ${part.lotId} lacks these credits.`);
    this.lots.set(keyOf(part), { ...lot, amount: lot.amount - part.amount });
    if (lot.amount === part.amount) this.lots.delete(keyOf(part));
  }
  /** Daily before bonus before paid, and the oldest lot of a kind first. */
  takeInOrder(amount, parts, at) {
    this.need(isAmount(amount) && sumOf(parts) === amount, 'The amount is not the sum of its parts.');
    const placeOf = ({ kind, lotId }) => ['daily', 'bonus', 'paid'].indexOf(kind) * 1e9 + (this.ages.get(lotId) ?? 1e8);
    for (const part of parts) this.take(part, at);
    const left = [...this.lots.values()].filter((lot) => !lapsed(lot, at)).map(placeOf);
    const places = [...parts.map(placeOf), Math.min(...left)];
    const isOrdered = places.every((place, index) => index === 0 || place >= places[index - 1]);
    this.need(isOrdered, 'Credits are not taken from the lots that must be spent first.');
  }
  bought(lotId, amount = 0) {
    const purchase = this.purchases.get(lotId);
    if (!purchase) throw new Error(`there is no purchase ${lotId}`);
    const unitPriceCents = Math.floor(purchase.cents / purchase.credits);
    return { purchase, part: { lotId, kind: 'paid', amount, unitPriceCents, expiresAt: null } };
  }
  dueOf({ credits, cents, returnedCents, reversed }) {
    return (returnedCents >= Math.max(cents, 1) ? credits : portion(credits, returnedCents, cents || 1)) - reversed;
  }
  CreditsGranted({ lotId, kind, source, amount, expiresAt }, at) {
    const day = new Date(at).toISOString().slice(0, 10);
    const isDaily = source === 'daily' && lotId === `daily:${day}` && kind === 'daily' && expiresAt === nextDay(at);
    const isGift = /^admin grant:|^signup signup 30$/.test(`${source} ${lotId} ${amount}`);
    this.need(isDaily || (isGift && kind === 'bonus' && expiresAt === null), `Lot ${lotId} breaks the rules.`);
    this.put({ lotId, kind, amount, unitPriceCents: 0, expiresAt }, true);
  }
  CreditsPurchased({ lotId, amount, amountCents, unitPriceCents }) {
    const none = { returnedCents: 0, reversed: 0, debt: 0, settled: 0, earning: 0, images: [] };
    this.purchases.set(lotId, { credits: amount, cents: amountCents, ...none });
    const { part } = this.bought(lotId, amount);
    this.need(isAmount(amountCents + 1) && part.unitPriceCents === unitPriceCents, 'The prices do not fit.');
    this.put(part, true);
    this.post(1010, amountCents);
  }
  CreditsDeducted({ deductionId, creatorId, ownGeneration, amount, allocations }, at) {
    this.once(`Deduction ${deductionId}`);
    this.need(typeof ownGeneration === 'boolean', 'The event does not state whose image it is.');
    this.takeInOrder(amount, allocations, at);
    this.deductions.set(deductionId, { creatorId, ownGeneration, amount, allocations });
  }
  close({ deductionId, creatorId, amount }) {
    const open = this.deductions.get(deductionId);
    if (!open) throw new Error(`deduction ${deductionId} is not open`);
    this.need(open.creatorId === creatorId && open.amount === amount, 'The deduction was another one.');
    this.deductions.delete(deductionId);
    return open;
  }
  DeductionSettled({ allocations, ...image }, at) {
    const open = this.close(image);
    const isSame = sameParts(open.allocations, allocations) && open.ownGeneration === image.ownGeneration;
    this.need(isSame, 'The deduction is settled with other parts than it was made with.');
    for (const part of allocations.filter(isPaid)) this.settle(part, image, at);
    for (const { cents, loss } of [...this.lines]) if (loss) this.post(loss, -cents);
  }
  CreditsRefunded({ restorations, ...data }, at) {
    const renewed = (part) => (lapsed(part, at) ? { ...part, expiresAt: nextDay(at) } : part);
    const due = this.close(data).allocations.map(renewed);
    this.need(sameParts(due, restorations), 'The refund is not exactly what was taken.');
    for (const part of restorations) this.put(part);
  }
  DeductionVoided({ deductionId }) {
    this.once(`Deduction ${deductionId}`);
  }
  CreditsExpired(part, at) {
    const lot = this.lots.get(keyOf(part));
    const isRight = lot?.amount === part.amount && lot.kind === part.kind && lapsed(lot, at);
    this.need(isRight && this.lots.delete(keyOf(part)), `Lot ${part.lotId} does not expire so at this time.`);
  }
  PurchaseReversed({ lotId, reversalId, cause, amountCents, revoked, debt }, at) {
    const { purchase, part } = this.bought(lotId, revoked);
    const [cash, loss] = CAUSES[cause];
    const reversal = { lotId, amountCents, cash, loss };
    this.once(`Reversal ${reversalId}`);
    this.reversals.set(reversalId, reversal);
    this.post(cash, -amountCents);
    purchase.returnedCents += amountCents;
    const due = this.dueOf(purchase);
    const left = this.lots.get(keyOf(part))?.amount ?? 0;
    const isDue = revoked === Math.min(due, left) && debt === due - revoked;
    this.need(isDue, `Reversal ${reversalId} takes ${revoked} + ${debt} credits, but ${due} are due.`);
    purchase.reversed += due;
    purchase.debt += debt;
    purchase.latest = reversal;
    if (revoked > 0) this.take(part, at);
    if (debt > 0) purchase.owedBy = reversal;
    if (debt > 0) this.bear(at, reversal);
    return loss;
  }
  PurchaseReinstated({ lotId, reversalId, amount }) {
    const { purchase, part } = this.bought(lotId, amount);
    const reversal = this.reversals.get(reversalId);
    if (reversal?.lotId !== lotId) throw new Error(`${reversalId} is no reversal of this purchase that can be undone`);
    this.reversals.delete(reversalId);
    this.post(reversal.cash, reversal.amountCents);
    purchase.returnedCents -= reversal.amountCents;
    const due = -this.dueOf(purchase);
    this.need(amount === due, `${amount} credits are given back, but ${due} are due.`);
    if (amount !== 0) this.put(part);
    purchase.reversed -= due;
    return reversal.loss;
  }
  DebtRepaid({ lotId, owedForLotId, amount }, at) {
    const { purchase } = this.bought(owedForLotId);
    const arrived = this.arrived.get(lotId) ?? 0;
    this.need(amount <= arrived && amount <= purchase.debt, 'More debt is paid than there is, or than has arrived.');
    const [oldest] = [...this.purchases].find(([, { debt }]) => debt > 0) ?? [];
    const first = this.purchases.get(lotId)?.debt > 0 ? lotId : oldest;
    this.need(owedForLotId === first, `The debt of ${first} must be paid first.`);
    this.arrived.set(lotId, arrived - amount);
    purchase.debt -= amount;
    this.take(this.bought(lotId, amount).part, at);
    if (purchase.debt === 0) purchase.owedBy = undefined;
    if (lotId !== owedForLotId) this.payments.unshift({ payer: lotId, lotId: owedForLotId, amount });
    this.bear(at);
    return purchase.latest?.loss;
  }
  CreditsAdjusted({ adjustmentId, amount, allocations }, at) {
    this.once(`Adjustment ${adjustmentId}`);
    this.takeInOrder(amount, allocations, at);
    return 4100;
  }
  CreditsWaived({ amount, allocations }, at) {
    for (const part of allocations) this.take(part, at);
    const isAll = [...this.lots.values(), ...allocations].filter(isPaid).length;
    this.need(isAll === allocations.length && sumOf(allocations) === amount, 'The waiver takes other credits.');
    return 4100;
  }
  ClockRepaired({ aheadUntil }, at, { actorId }) {
    const isBack = at < this.at && Date.parse(aheadUntil) === this.at;
    this.need(isBack && actorId && actorId !== 'system', 'The repair of the clock is not one of an admin.');
  }
  /** Credits of a purchase were spent on an image that was delivered. */
  settle({ lotId, amount, unitPriceCents: price }, { creatorId, ownGeneration }, at) {
    const { purchase } = this.bought(lotId);
    const { settled, earning, cents, credits } = purchase;
    const share = (n, parts) => portion(n, cents, parts * credits);
    const isNew = this.cumulativeFrom !== null && at >= this.cumulativeFrom;
    const isOwn = isNew && ownGeneration;
    const both = share(settled + amount, 1) - share(settled, 1);
    const creator = isOwn ? 0 : share(earning + amount, 2) - share(earning, 2);
    // `creator` and `both` are cents and the number of credits that earn them.
    const image = { creatorId, isNew, at, amount, left: 0, taken: new Map(), creator: [price, 2], both: [price, 1] };
    if (isNew) Object.assign(image, { creator: [creator, amount], both: [both, amount] });
    Object.assign(purchase, { settled: settled + amount, earning: earning + (isOwn ? 0 : amount) });
    purchase.images.push(image);
    this.change(image, amount, at);
    if (this.owed > 0) this.bear(at);
  }
  /** @param reversal that takes credits of an image back, or took those that it gets back; none when it is delivered */
  change(image, credits, at, reversal) {
    const gain = (value) => portion(image.left + credits, ...value) - portion(image.left, ...value);
    const [creator, both] = [gain(image.creator), gain(image.both)];
    image.left += credits;
    if (reversal) image.taken.set(reversal, (image.taken.get(reversal) ?? 0) - credits);
    const kind = reversal ? (credits < 0 ? 'correction' : 'restoration') : 'earning';
    const payableAt = Math.max(at, image.at + 30 * DAY_MS);
    const about = { creatorId: image.creatorId, loss: reversal?.loss, kind, payableAt };
    this.post(4000, creator - both, about);
    this.post(2100, -creator, about);
  }
  /** Takes back what purchases must bear, the latest image first, and gives back what they no longer must. */
  bear(at, cause) {
    const isSafe = (image) => !image.isNew && at >= image.at + 30 * DAY_MS;
    const payments = this.payments.map((payment) => ({ ...payment }));
    const states = new Map();
    for (const [lotId, { images, debt, owedBy }] of this.purchases) {
      const reach = sumOf(images, (image) => image.amount - (isSafe(image) ? image.left : 0));
      const due = Math.min(reach, debt);
      states.set(lotId, { images, due, free: reach - due, beyond: debt - due, reversal: owedBy });
    }
    for (const payment of payments) {
      const payer = states.get(payment.payer);
      for (let moved = 1; payer.beyond > 0 && moved > 0; payer.beyond -= moved) {
        moved = passOn(payment, payer, { states, payments, met: new Set([payment.payer]) });
      }
    }
    for (const { images, due, reversal } of states.values()) {
      let missing = due - sumOf(images, ({ amount, left }) => amount - left);
      const isTaking = missing > 0;
      for (const image of isTaking ? [...images].reverse() : images) {
        const taking = [[cause ?? reversal, isSafe(image) ? 0 : image.left]];
        for (const [by, most] of isTaking ? taking : [...image.taken]) {
          const credits = Math.min(Math.abs(missing), most) * (isTaking ? -1 : 1);
          if (credits !== 0) this.change(image, credits, at, by);
          missing += credits;
        }
      }
    }
  }
}
/** Passes debt on along a payment, to the nearest purchase that can bear some of it. @returns credits passed on */
function passOn(payment, { beyond, reversal }, { states, payments, met }) {
  const state = states.get(payment.lotId);
  const most = Math.min(beyond, payment.amount);
  if (most === 0 || met.has(payment.lotId)) return 0;
  met.add(payment.lotId);
  let moved = Math.min(most, state.free);
  if (moved > 0) state.reversal ??= reversal;
  state.due += moved;
  state.free -= moved;
  const own = payments.filter(({ payer }) => payer === payment.lotId);
  for (const next of own) moved ||= passOn(next, { beyond: most, reversal }, { states, payments, met });
  payment.amount -= moved;
  return moved;
}
/** The accounts of docs/books.md. The events of the ledger do not say what those of the processor (*) hold. */
const CHART = `1010 Processor cash: payments received, 1015 Processor cash: not in the ledger*,
  1020 Processor cash: refunds paid, 1030 Processor cash: chargebacks, 1040 Processor cash: fees withheld*,
  1050 Processor cash: transfers to the bank*, 1100 Bank*, 1200 Creator debt,
  2000 Customer credits (deferred revenue), 2050 Promotional credits, 2110 Creator share: pending,
  2120 Creator share: payable, 2130 Creator share: payouts under way, 2140 Creator share: paid,
  2300 Unmatched receipts*, 4000 Platform revenue, 4100 Forfeited credits, 4200 Remainders of prices,
  5100 Losses from refunds, 5200 Losses from chargebacks, 5300 Processor fees*`;
/** Sums of the lines of all events: by account at an instant, and by creator. */
export class Books {
  constructor(until) {
    Object.assign(this, { until, cents: {}, creators: new Map() });
  }
  add(lines, at) {
    for (const { account, cents, creatorId, payableAt } of lines) {
      if (at <= this.until) this.cents[account] = (this.cents[account] ?? 0) + cents;
      if (creatorId === undefined) continue;
      const sum = this.creators.get(creatorId) ?? { creatorId, cents: 0, payableCents: 0, payoutCents: 0, months: {} };
      this.creators.set(creatorId, sum);
      if (account === 2120 && at <= this.until) sum.payoutCents += cents;
      if (account !== 2100) continue;
      const month = new Date(at).toISOString().slice(0, 7);
      sum.months[month] = (sum.months[month] ?? 0) - cents;
      sum.cents -= cents;
      if (payableAt <= this.until) sum.payableCents -= cents;
    }
  }
  /** Every account with its cents, a debit above zero; null where they are unknown. */
  trialBalance() {
    const creators = [...this.creators.values()];
    const left = creators.map(({ payableCents, payoutCents }) => payableCents - payoutCents);
    const [payable, debt] = [1, -1].map((side) => sumOf(left, (cents) => Math.max(0, side * cents)));
    const pending = (this.cents[2100] ?? 0) + sumOf(creators, ({ payableCents }) => payableCents);
    const known = { ...this.cents, 1200: debt, 2110: pending, 2120: 0 - payable };
    return Array.from(CHART.matchAll(/(\d{4}) ([^,*]+)(\*?)/g), ([, account, name, isUnknown]) => {
      return { account: Number(account), name, cents: isUnknown ? null : (known[account] ?? 0) };
    });
  }
}
/** Compares the figures of a closed month with the books of its end, but for those that only the processor knows. */
function compareMonth({ month, balances }, books, { at, need }) {
  const closed = new Map(balances.map(({ account, cents }) => [account, cents]));
  need(at > books.until, `${month} was closed before its end.`);
  for (const { account, cents } of books.trialBalance())
    need(
      cents === null || cents === closed.get(account),
      `Account ${account} had ${cents} cents at the end of ${month}.`,
    );
}
/** The place of each entry of the log. It must have the entries of its checkpoint and of the kept ones. */
async function readLog({ checkpoint, kept = [], read }, keys, complain) {
  const signed = await Promise.all([checkpoint, ...kept].map((note) => openCheckpoint(note, keys)));
  const [[{ size }], tree, places] = [signed, new Tree(), new Map()];
  for (let from = 0; from < size; from += 256) {
    const width = Math.min(256, size - from);
    const digits = String(from / 256).padStart(Math.ceil(String(from / 256).length / 3) * 3, '0');
    const name = `tile/entries/${digits.replace(/\d{3}(?=\d)/g, 'x$&/')}`;
    const tile = await read(width < 256 ? `${name}.p/${width}` : name);
    if (tile.length !== width * 34) throw new Error(`The log has no ${width} leaves from ${from} on.`);
    for (let at = 2; at < tile.length; at += 34) {
      const entry = tile.slice(at, at + 32);
      places.set(hex(entry), tree.size);
      await tree.add(entry);
      for (const { root } of signed.filter((each) => each.size === tree.size))
        if (root !== (await tree.root()))
          complain(`Leaves 0 to ${tree.size - 1} are not those of a signed checkpoint.`);
    }
  }
  if (places.size !== size) complain('The log has an entry twice.');
  for (const each of signed) if (each.size > size) complain(`Leaves from ${size} to ${each.size - 1} are missing.`);
  return places;
}

/**
 * Verifies an export and recomputes all balances, the cents of all creators and the trial balance.
 * @param input `lines` returns the lines of the file; `keys` and `rotations` are texts; `log` is null, or has the texts
 *   of its `checkpoint` and of `kept` ones, and `read`, which returns bytes of the log
 */
export async function verifyExport({ lines, keys, rotations = '', log, allowNewer = false }, complain) {
  const records = [...rotations.matchAll(/.+/g)].map(([line]) => JSON.parse(line));
  const accepted = await acceptKeys(keys.map(readKey), records, complain);
  // The rule of revenue, the closed months and the time of the balances are at the end of the file.
  const months = new Map();
  let [cumulativeFrom, last] = [null, ''];
  for await (const line of lines()) {
    last = line;
    const { event } = /"type":"(?:RevenueRuleAdopted|MonthClosed)"/.test(line) ? parseLine(line) : {};
    const { month } = event?.stream === 'processor' ? event.data : {};
    if (month) months.set(month, new Books(Date.UTC(...month.split('-')) - 1));
    if (event?.stream === 'policy') cumulativeFrom ??= Date.parse(event.data.effectiveFrom);
  }
  const manifest = await openManifest(last, accepted, complain);
  const until = Date.parse(manifest.startedAt);
  const trusted = Array.from(accepted.values(), ({ key }) => key);
  const places = log && (await readLog(log, trusted, complain));
  const found = { events: 0, streams: 0, newer: 0, until, accounts: [] };
  const [tree, seen, newer, books, recorded] = [new Tree(), new Set(), [], new Books(until), new Map()];
  let [chain, place, ended] = [null, -1, false];
  for await (const line of lines()) {
    const { event, head, manifest: end } = parseLine(line);
    if (ended) complain('Lines follow the manifest.');
    if ((ended ||= end !== undefined)) continue;
    await tree.add(bytesOf(line));
    if (event?.data && event.metadata && (chain === null ? !seen.has(event.stream) : chain.stream === event.stream)) {
      const { stream, version, metadata } = event;
      if (chain === null) [chain, place] = [new (kindOf(stream))(stream, complain, cumulativeFrom), -1];
      seen.add(stream);
      found.events += 1;
      const own = places?.get(metadata.hash);
      places?.delete(metadata.hash);
      if (places && own === undefined && (found.newer += 1) < 10) newer.push(`${stream} @ ${version}`);
      if (own < place) complain(`${stream} @ ${version}: The log lacks the event before it, or has it later.`);
      place = own ?? Number.POSITIVE_INFINITY;
      const booked = await chain.add(event);
      for (const each of [books, ...months.values()]) each.add(booked, chain.at);
      if (stream === 'processor' && event.type === 'MonthClosed')
        compareMonth(event.data, months.get(event.data.month), chain);
      await compareShares(event, booked, chain, { recorded, due: until - 900_000 });
    } else if (head && chain?.stream === head.stream && head.version === chain.version && head.hash === chain.hash) {
      found.streams += 1;
      chain.end?.();
      const { stream, version } = chain;
      if (chain instanceof Account)
        found.accounts.push({ userId: stream.slice(ACCOUNT.length), version, ...chain.balance(until) });
      for (const [reference, { text }] of chain.shares ?? []) recorded.set(reference, text);
      chain = null;
    } else complain('A line is neither an event nor a head in its place.');
  }
  if (chain) complain(`${chain.stream}: The stream has no head.`);
  if (recorded.size > 0) complain(`No event makes ${recorded.size} shares: ${[...recorded.values()].slice(0, 9)}.`);
  if (manifest.merkleRoot !== (await tree.root())) complain('The lines are not those of the manifest.');
  if (places?.size > 0) complain(`${places.size} events of the log are missing: ${[...places.values()].slice(0, 9)}.`);
  if (found.newer > 0 && !allowNewer) complain(`The checkpoint does not cover ${found.newer} events: ${newer}.`);
  return { ...found, creators: [...books.creators.values()], trialBalance: books.trialBalance() };
}
/** The lines of chunks of text. Only a line feed ends a line. */
export async function* splitLines(chunks) {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop();
    yield* parts;
  }
  if (rest !== '') yield rest;
}
/** The root of a tree of which a leaf and its path are known (RFC 6962, section 2.1.1). Empties the path. */
async function rootFrom(leaf, index, size, path) {
  if (size === 1) return leaf;
  const sibling = path.pop() ?? [];
  const left = 2 ** ((size - 1).toString(2).length - 1); // The largest power of two below the size
  if (index < left) return nodeOf(await rootFrom(leaf, index, left, path), sibling);
  return nodeOf(sibling, await rootFrom(leaf, index - left, size - left, path));
}
/** The checkpoint whose tree has an entry, as a proof (C2SP tlog-proof) shows. @throws Error otherwise */
async function provenBy(proof, entry, keys) {
  const [, index, lines, note] =
    /^c2sp\.org\/tlog-proof@v1\n(?:extra .*\n)?index (\d{1,15})\n((?:.+\n)*)\n([^]*)$/.exec(proof) ?? [];
  const checkpoint = await openCheckpoint(note ?? '', keys);
  const path = lines.match(/.+/g)?.map(fromBase64) ?? [];
  const isLeaf = Number(index) < checkpoint.size;
  const root = isLeaf && hex(await rootFrom(await leafOf(entry), Number(index), checkpoint.size, path));
  if (root !== checkpoint.root || path.length > 0) throw new Error(`Leaf ${index} is not the last event.`);
  return checkpoint;
}
/**
 * Verifies the events of an account or the shares of a creator. A checkpoint covers the last hash, which fixes all
 * before.
 * @param keysOf returns the texts of the trusted keys for the origin of the checkpoint
 */
export async function verifyStatement(text, keysOf, complain) {
  const lines = text.split('\n').slice(0, -1).map(parseLine);
  const [{ statement }, { proof }] = [lines.shift() ?? {}, lines.pop() ?? {}];
  const Kind = kindOf(statement?.stream);
  const isStatement = statement?.format === 'fanvas-statement' && statement.formatVersion === 1;
  if (!isStatement || !Kind.prototype.balance) throw new Error('This is no statement.');
  const chain = new Kind(statement.stream, complain);
  for (const { event } of lines) {
    if (event?.stream === statement.stream && event.metadata && event.data) await chain.add(event);
    else complain('A line is no event of the stream.');
  }
  chain.end?.();
  const keys = (await keysOf(/\n\n(.*)/.exec(proof)?.[1] ?? '')).map(readKey);
  const checkpoint = await provenBy(String(proof), fromHex(chain.hash ?? ''), keys);
  const at = Date.parse(statement.at);
  return { stream: chain.stream, events: chain.version + 1, at, balance: chain.balance(at), checkpoint };
}
/** The lines of a table of the trial balance, in dollars. */
function* tableOf(trialBalance) {
  const sides = (cents) => [Math.max(0, cents), Math.max(0, -cents)];
  const lineOf = (name, cells) => `${name.padEnd(45)}${cells.map((cell) => cell.padStart(15)).join('')}`;
  const dollars = (cents) => (cents / 100).toFixed(2);
  yield lineOf('Account', ['Debit', 'Credit']);
  for (const { account, name, cents } of trialBalance)
    yield lineOf(`${account} ${name}`, cents === null ? ['unknown', 'unknown'] : sides(cents).map(dollars));
  const totals = [0, 1].map((side) => sumOf(trialBalance, ({ cents }) => sides(cents)[side]));
  yield lineOf('Total', totals.map(dollars));
}
async function main([command, ...words]) {
  const [{ createReadStream, promises }, { parseArgs }] = [await import('node:fs'), await import('node:util')];
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }];
  const texts = { key: text, rotations: text, log: text, checkpoint: { ...text, multiple: true, default: [] } };
  const options = { ...texts, 'without-log': flag, 'allow-newer': flag, json: flag };
  const { positionals, values } = parseArgs({ args: words, allowPositionals: true, options });
  const [file] = positionals;
  const isExport = command === 'export' && values.key && Boolean(values.log) !== Boolean(values['without-log']);
  if (!file || !(isExport || command === 'statement')) throw new Error('This file begins with its arguments.');
  const say = (line) => process.stdout.write(`${line}\n`);
  let problems = 0;
  const complain = (sentence) => (problems += 1) > 50 || process.stderr.write(`${sentence}\n`);
  const textOf = (name) => promises.readFile(name, 'utf8');
  const reader = (place) => async (name) => {
    if (!/^https?:/.test(place)) return promises.readFile(`${place}/${name}`);
    const response = await globalThis.fetch(`${place.replace(/\/$/, '')}/${name}`);
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const textAt = async (place, name) => new globalThis.TextDecoder().decode(await reader(place)(name));
  const keys = values.key ? [await textOf(values.key)] : [];
  if (isExport) {
    const lines = () => splitLines(createReadStream(file, 'utf8'));
    const kept = await Promise.all(values.checkpoint.map(textOf));
    const log = values.log && { read: reader(values.log), checkpoint: await textAt(values.log, 'checkpoint'), kept };
    const rotations = values.rotations && (await textOf(values.rotations));
    const input = { lines, keys, rotations, log, allowNewer: values['allow-newer'] };
    const { accounts, creators, trialBalance, ...counts } = await verifyExport(input, complain);
    const [credits, owed] = [sumOf(accounts, ({ total }) => total), sumOf(accounts, (account) => account.owed)];
    const sums = { ...counts, credits, owed, creatorCents: sumOf(creators, ({ cents }) => cents) };
    say(JSON.stringify({ ...sums, ...(values.json && { accounts, creators, trialBalance }), problems }));
    const verdict = problems === 0 ? 'All holds.' : `${problems} problems were found.`;
    if (!values.json) for (const line of [...tableOf(trialBalance), verdict]) say(line);
  } else {
    const siteOf = (origin) => `${/^(?:localhost|127\.)/.test(origin) ? 'http' : 'https'}://${origin}`;
    const keysOf = async (origin) => (keys.length > 0 ? keys : [await textAt(siteOf(origin), 'key')]);
    const found = await verifyStatement(await textOf(file), keysOf, complain).catch(({ message }) => complain(message));
    if (problems === 0) say(`${found.stream}: ${found.events} events. Balance: ${canonical(found.balance)}.`);
    say(problems === 0 ? `Yes: checkpoint ${found.checkpoint.size} covers it.` : 'No: the statement is not true.');
  }
  return problems === 0 ? 0 : 1;
}

if (nodeHash && /verify-fanvas[^/\\]*\.mjs$/.test(process.argv[1] ?? '')) {
  process.exitCode = await main(process.argv.slice(2)).catch(({ message }) => {
    process.stderr.write(`${message}\n`);
    return 2;
  });
}
