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
function fail(message) {
  throw new Error(message);
}
const bytesOf = (text) => new globalThis.TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const fromBase64 = (text) => Uint8Array.from(globalThis.atob(text), (character) => character.charCodeAt(0));
const join = (...parts) => new Uint8Array([].concat(...parts.map((part) => Array.from(part))));
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
/** `n` parts of `total`, of which there are `parts`, rounded down. With `parts - 1` as `up` it is rounded up. */
const portion = (n, total, parts, up = 0) => Number((BigInt(n) * BigInt(total) + BigInt(up)) / BigInt(parts));
/** Cents that `more` parts of `total` add to `n` of them. */
const rise = (n, more, total, parts) => portion(n + more, total, parts) - portion(n, total, parts);
const isoOf = (at) => new Date(at).toISOString();
const nextDay = (at) => isoOf((Math.floor(at / DAY_MS) + 1) * DAY_MS);
/** Credits of a purchase that its returned cents take. */
const reversed = ({ credits, cents, returnedCents }) => Math.min(credits, portion(credits, returnedCents, cents || 1));
const keyOf = ({ lotId, expiresAt }) => `${lotId} ${expiresAt}`;
const same = (one, other) => canonical(one) === canonical(other);
const lapsed = ({ expiresAt }, at) => expiresAt !== null && Date.parse(expiresAt) <= at;

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
  constructor(stream, complain) {
    Object.assign(this, { stream, version: -1, hash: null, at: Number.NEGATIVE_INFINITY, readable: true, lines: [] });
    this.owner = stream.slice(stream.indexOf('-') + 1);
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
    this.need(!Number.isNaN(at) && isoOf(at) === metadata.occurredAt, 'The event has no time.');
    this.need(at >= this.at || type === 'ClockRepaired', 'The event occurred before the one before it.');
    this.lines = [];
    try {
      if (this.readable) this.apply?.(type, this.apply && newestOf(type, data), at, metadata);
    } catch ({ message }) {
      Object.assign(this, { readable: false, lines: [] });
      this.need(false, `${type} cannot be read: ${message}.`);
    }
    this.at = at;
    return this.lines;
  }
  /** Adds a line: cents of an account of docs/books.md, a debit above zero. */
  post(account, cents, about) {
    if (!Number.isInteger(cents)) throw new Error(`${cents} is no number of cents`);
    this.lines.push({ account, cents, ...about });
  }
}
/** The account of rule 1 that has the amount of a payout after each event, and the events that it may follow. */
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
  apply(type, { payoutId, payableCents, paidCents, amountCents }) {
    if (type === 'PayoutsHeld') return;
    const [account, ...earlier] = PAYOUT_STEPS[type] ?? fail('it is not known');
    const last = this.payouts.get(payoutId) ?? { type: 'nothing', account: 2120 };
    this.need(earlier.includes(last.type), `${type} cannot follow ${last.type}.`);
    const paid = sumOf([...this.payouts.values()].filter((payout) => payout.account === 2140));
    const amount = ['PayoutDrafted', 'PayoutFixed'].includes(type) ? payableCents - paid : last.amount;
    const isRight = isAmount(amount) && (amountCents ?? amount) === amount && (paidCents ?? paid) === paid;
    this.need(isRight, `The amount of the payout is ${amount} cents, not ${amountCents}.`);
    this.payouts.set(payoutId, { type, account, amount });
    this.post(last.account, amount, { creatorId: this.owner });
    this.post(account, -amount, { creatorId: this.owner });
  }
}
/** The shares of one creator: what was earned, taken back (`correction`) and given back (`restoration`). */
export class Earnings extends Stream {
  shares = new Map();
  apply(type, { reference, kind, cents, earnedAt, payableAt, ...others }, at) {
    if (type !== 'EarningPosted') throw new Error('it is not known');
    const isGain = kind === 'earning' || kind === 'restoration';
    const fits = isGain ? isAmount(cents) : kind === 'correction' && isAmount(-cents);
    const isPlain = Object.keys(others).length === 0 && Date.parse(earnedAt) <= at;
    this.need(fits && isPlain && !this.shares.has(reference), 'This is no share, or it is recorded a second time.');
    const text = [this.owner, kind, payableAt, cents, earnedAt].join(' ');
    this.shares.set(reference, { kind, cents, payableAt: Date.parse(payableAt), text });
  }
  /** Cents that were earned, and that were taken back less what was given back; and what is payable of both. */
  balance(at) {
    const sum = (filter) => sumOf([...this.shares.values()].filter(filter), ({ cents }) => cents);
    const [total, earnedCents] = [sum(() => true), sum(({ kind }) => kind === 'earning')];
    const payableCents = sum((share) => share.payableAt <= at);
    return { earnedCents, correctedCents: total - earnedCents, payableCents, pendingCents: total - payableCents };
  }
}
/** Compares the shares that an event of an account makes with the recorded ones, and removes these. */
async function compareShares({ id }, { lines, at, need }, { recorded, due }) {
  const shares = lines
    .filter(({ account, cents }) => account === 2100 && cents !== 0)
    .map((line) => [line.creatorId, line.kind, isoOf(line.payableAt), -line.cents, isoOf(at)].join(' '));
  for (const [place, share] of shares.sort().entries()) {
    const reference = await hashOf(`${id} ${place}`);
    const found = recorded.get(reference) ?? (at <= due ? 'nothing' : share);
    need(found === share, `The share is "${share}", but "${found}" is recorded.`);
    recorded.delete(reference);
  }
}
/** For the cause of a reversal: the accounts of the cash that it takes, and of the loss. */
const CAUSES = { refund: [1020, 5100], dispute: [1030, 5200] };
/** One account, with a method for each event. The new rules of revenue hold from `cumulativeFrom` on; null: never. */
export class Account extends Stream {
  constructor(stream, complain, cumulativeFrom) {
    super(stream, complain);
    const maps = { ids: new Map(), lots: new Map(), deductions: new Map(), purchases: new Map(), reversals: new Map() };
    Object.assign(this, { ...maps, payments: [], unearned: 0, cumulativeFrom: cumulativeFrom ?? Infinity });
  }
  /** The methods of events return the account of the books for what is missing for zero. */
  apply(type, data, at, metadata) {
    if (!/^[A-Z]/.test(type) || !this[type]) throw new Error('it is not known');
    if (type !== 'DebtRepaid') this.end();
    const rest = this[type](data, at, metadata);
    const unearned = this.unearnedCents();
    this.post(2000, this.unearned - unearned);
    this.unearned = unearned;
    this.post(rest ?? 4200, -sumOf(this.lines, ({ cents }) => cents));
  }
  /** Bought credits that have just arrived must pay debt. */
  end() {
    const arrived = [...this.purchases.values()].some((purchase) => purchase.arrived > 0);
    this.need(!arrived || this.owed() === 0, 'Bought credits arrived, but did not pay the debt.');
    for (const purchase of this.purchases.values()) purchase.arrived = 0;
  }
  once = (id) => this.need(!this.ids.has(id) && this.ids.set(id, this.ids.size), `${id} is made a second time.`);
  owed = () => sumOf([...this.purchases.values()], ({ debt }) => debt);
  /** Credits that can be spent at an instant, those of open deductions, and the debt. */
  balance(at) {
    const kinds = { daily: 0, bonus: 0, paid: 0 };
    for (const lot of this.lots.values()) if (!lapsed(lot, at)) kinds[lot.kind] += lot.amount;
    const open = sumOf([...this.deductions.values()]);
    return { ...kinds, total: kinds.daily + kinds.bonus + kinds.paid, open, owed: this.owed() };
  }
  /** Cents of the bought credits that are unspent or in open deductions: their part of each price, rounded up. */
  unearnedCents() {
    const parts = [...this.lots.values(), ...[...this.deductions.values()].flatMap(({ allocations }) => allocations)];
    const unspent = (purchase) => sumOf(parts.filter(({ lotId }) => lotId === purchase.lot.lotId));
    const centsOf = (purchase) => portion(unspent(purchase), purchase.cents, purchase.credits, purchase.credits - 1);
    return sumOf([...this.purchases.values()], centsOf);
  }
  bought = (lotId) => this.purchases.get(lotId) ?? fail(`there is no purchase ${lotId}`);
  /** Adds credits to a lot. Those that arrive in a bought lot must pay debt. */
  put(part, isNew = false) {
    const purchase = this.purchases.get(part.lotId);
    this.need(isAmount(part.amount), `${part.amount} is no number of credits.`);
    if (isNew) this.once(`Lot ${part.lotId}`);
    if (purchase && (isNew || reversed(purchase) > 0)) purchase.arrived += part.amount;
    this.lots.set(keyOf(part), { ...part, amount: part.amount + (this.lots.get(keyOf(part))?.amount ?? 0) });
  }
  /** Takes credits from a lot. It must have lapsed if `isOver`, and otherwise not. */
  take(part, at, isOver = false) {
    const lot = this.lots.get(keyOf(part)) ?? { amount: 0 };
    const isSame = lot.kind === part.kind && lot.unitPriceCents === part.unitPriceCents && lapsed(lot, at) === isOver;
    this.need(isSame && isAmount(part.amount) && lot.amount >= part.amount, `Lot ${part.lotId} lacks these credits.`);
    this.lots.set(keyOf(part), { ...lot, amount: lot.amount - part.amount });
    if (lot.amount === part.amount) this.lots.delete(keyOf(part));
  }
  /** Takes credits, once: daily before bonus before paid, and the oldest lot of a kind first. */
  spend(id, { amount, allocations }, at) {
    this.once(id);
    this.need(isAmount(amount) && sumOf(allocations) === amount, 'The amount is not the sum of its parts.');
    for (const part of allocations) this.take(part, at);
    const left = [...this.lots.values()].filter((lot) => !lapsed(lot, at));
    const placeOf = ({ kind, lotId }) => ['daily', 'bonus', 'paid'].indexOf(kind) * 1e9 + this.ids.get(`Lot ${lotId}`);
    const places = [...allocations.map(placeOf), Math.min(...left.map(placeOf))];
    this.need(!places.some((place, index) => place < places[index - 1]), 'Other lots must be spent first.');
  }
  CreditsGranted({ lotId, kind, source, amount, expiresAt }, at) {
    const day = isoOf(at).slice(0, 10);
    const isDaily = source === 'daily' && lotId === `daily:${day}` && kind === 'daily' && expiresAt === nextDay(at);
    const isGift = /^admin grant:|^signup signup 30$/.test(`${source} ${lotId} ${amount}`);
    this.need(isDaily || (isGift && kind === 'bonus' && expiresAt === null), `Lot ${lotId} breaks the rules.`);
    this.put({ lotId, kind, amount, unitPriceCents: 0, expiresAt }, true);
  }
  CreditsPurchased({ lotId, amount, amountCents, unitPriceCents }) {
    const lot = { lotId, kind: 'paid', unitPriceCents, expiresAt: null };
    const none = { arrived: 0, returnedCents: 0, debt: 0, settled: 0, earning: 0, images: [] };
    this.purchases.set(lotId, { lot, credits: amount, cents: amountCents, ...none });
    const isPrice = unitPriceCents === Math.floor(amountCents / amount);
    this.need(isAmount(amountCents + 1) && isPrice, 'The prices do not fit.');
    this.put({ ...lot, amount }, true);
    this.post(1010, amountCents);
  }
  CreditsDeducted(deduction, at) {
    this.need(typeof deduction.ownGeneration === 'boolean', 'The event does not state whose image it is.');
    this.spend(`Deduction ${deduction.deductionId}`, deduction, at);
    this.deductions.set(deduction.deductionId, deduction);
  }
  /** Ends a deduction. @param parts those that it took, after `change` */
  close({ deductionId, creatorId, amount }, parts, change = (part) => part) {
    const open = this.deductions.get(deductionId) ?? fail(`deduction ${deductionId} is not open`);
    const isSame = open.creatorId === creatorId && open.amount === amount;
    this.need(isSame && same(open.allocations.map(change), parts), 'The deduction was made with other values.');
    this.deductions.delete(deductionId);
    return open;
  }
  DeductionSettled({ allocations, ...image }, at) {
    const { ownGeneration } = this.close(image, allocations);
    this.need(ownGeneration === image.ownGeneration, 'The deduction was not made for the image of this person.');
    for (const part of allocations.filter(isPaid)) this.settle(part, image, at);
    for (const { cents, loss } of [...this.lines]) if (loss) this.post(loss, -cents);
  }
  CreditsRefunded({ restorations, ...data }, at) {
    this.close(data, restorations, (part) => (lapsed(part, at) ? { ...part, expiresAt: nextDay(at) } : part));
    for (const part of restorations) this.put(part);
  }
  DeductionVoided({ deductionId }) {
    this.once(`Deduction ${deductionId}`);
  }
  CreditsExpired(part, at) {
    this.take({ ...part, unitPriceCents: 0 }, at, true);
    this.need(!this.lots.has(keyOf(part)), `Lot ${part.lotId} does not expire as a whole.`);
  }
  /** Money of a purchase is returned, or comes back (below zero). @returns credits that are due for it */
  returnCents(purchase, cents, account) {
    const before = reversed(purchase);
    this.post(account, -cents);
    purchase.returnedCents += cents;
    return reversed(purchase) - before;
  }
  PurchaseReversed({ lotId, reversalId, cause, amountCents, revoked, debt }, at) {
    const [purchase, [cash, loss]] = [this.bought(lotId), CAUSES[cause]];
    const reversal = { lotId, amountCents, cash, loss };
    this.once(`Reversal ${reversalId}`);
    this.reversals.set(reversalId, reversal);
    const due = this.returnCents(purchase, amountCents, cash);
    const left = this.lots.get(keyOf(purchase.lot))?.amount ?? 0;
    const isDue = revoked === Math.min(due, left) && debt === due - revoked;
    this.need(isDue, `Reversal ${reversalId} takes ${revoked} + ${debt} credits, but ${due} are due.`);
    purchase.debt += debt;
    purchase.latest = reversal;
    if (revoked > 0) this.take({ ...purchase.lot, amount: revoked }, at);
    if (debt > 0) purchase.owedBy = reversal;
    if (debt > 0) this.bear(at, reversal);
    return loss;
  }
  PurchaseReinstated({ lotId, reversalId, amount }) {
    const [purchase, reversal] = [this.bought(lotId), this.reversals.get(reversalId)];
    if (reversal?.lotId !== lotId) throw new Error(`${reversalId} is no reversal of this purchase that can be undone`);
    this.reversals.delete(reversalId);
    if (amount !== 0) this.put({ ...purchase.lot, amount });
    const due = -this.returnCents(purchase, -reversal.amountCents, reversal.cash);
    this.need(amount === due, `${amount} credits are given back, but ${due} are due.`);
    return reversal.loss;
  }
  DebtRepaid({ lotId, owedForLotId, amount }, at) {
    const [payer, debtor] = [this.bought(lotId), this.bought(owedForLotId)];
    this.need(amount <= payer.arrived && amount <= debtor.debt, 'More debt is paid than there is, or has arrived.');
    const first = payer.debt > 0 ? payer : [...this.purchases.values()].find(({ debt }) => debt > 0);
    this.need(debtor === first, 'The debt of another purchase must be paid first.');
    payer.arrived -= amount;
    debtor.debt -= amount;
    this.take({ ...payer.lot, amount }, at);
    if (payer !== debtor) this.payments.unshift({ payer, debtor, amount });
    this.bear(at);
    return debtor.latest?.loss;
  }
  CreditsAdjusted(adjustment, at) {
    this.spend(`Adjustment ${adjustment.adjustmentId}`, adjustment, at);
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
  settle({ lotId, amount, unitPriceCents }, { creatorId, ownGeneration }, at) {
    const purchase = this.bought(lotId);
    const { settled, earning, cents, credits, images } = purchase;
    const isNew = at >= this.cumulativeFrom;
    const counted = isNew && ownGeneration ? 0 : amount;
    // `creator` and `both` are cents and the number of credits that earn them.
    const image = { creatorId, isNew, payableAt: at + 30 * DAY_MS, amount, left: 0, taken: new Map() };
    image.both = isNew ? [rise(settled, amount, cents, credits), amount] : [unitPriceCents, 1];
    image.creator = isNew ? [rise(earning, counted, cents, 2 * credits), amount] : [unitPriceCents, 2];
    Object.assign(purchase, { settled: settled + amount, earning: earning + counted });
    images.push(image);
    this.change(image, amount, at);
    if (this.owed() > 0) this.bear(at);
  }
  /** @param reversal that takes credits of an image back, or took those that it gets back; none when it is delivered */
  change(image, credits, at, reversal) {
    const [creator, both] = [image.creator, image.both].map((value) => rise(image.left, credits, ...value));
    image.left += credits;
    if (reversal) image.taken.set(reversal, (image.taken.get(reversal) ?? 0) - credits);
    const kind = reversal ? (credits < 0 ? 'correction' : 'restoration') : 'earning';
    const about = { creatorId: image.creatorId, loss: reversal?.loss, kind, payableAt: Math.max(at, image.payableAt) };
    this.post(4000, creator - both, about);
    this.post(2100, -creator, about);
  }
  /** Takes back what purchases must bear, the latest image first, and gives back what they no longer must. */
  bear(at, cause) {
    const isSafe = (image) => !image.isNew && at >= image.payableAt;
    for (const purchase of this.purchases.values()) {
      const { images, debt, owedBy } = purchase;
      const reach = sumOf(images, (image) => image.amount - (isSafe(image) ? image.left : 0));
      const due = Math.min(reach, debt);
      Object.assign(purchase, { due, free: reach - due, beyond: debt - due, by: debt > 0 ? owedBy : null });
    }
    for (const payment of this.payments) payment.left = payment.amount;
    for (const payment of this.payments) while (this.passOn(payment, payment.payer) > 0); // To one purchase each time
    for (const { images, due, by } of this.purchases.values()) {
      let missing = due - sumOf(images, ({ amount, left }) => amount - left);
      const sign = missing > 0 ? -1 : 1;
      for (const image of missing > 0 ? [...images].reverse() : images) {
        const taking = [[cause ?? by, isSafe(image) ? 0 : image.left]];
        for (const [reversal, most] of sign < 0 ? taking : [...image.taken]) {
          const credits = sign * Math.min(Math.abs(missing), most);
          if (credits !== 0) this.change(image, credits, at, reversal);
          missing += credits;
        }
      }
    }
  }
  /** Passes debt of `from` on along a payment to the nearest purchase that can bear it. @returns credits passed on */
  passOn(payment, from, credits = from.beyond, met = new Set([from])) {
    const { debtor } = payment;
    const most = Math.min(credits, payment.left);
    if (most === 0 || met.has(debtor)) return 0;
    met.add(debtor);
    let moved = Math.min(most, debtor.free);
    if (moved > 0) debtor.by ??= from.by;
    debtor.due += moved;
    debtor.free -= moved;
    from.beyond -= moved;
    for (const next of this.payments) if (next.payer === debtor) moved ||= this.passOn(next, from, most, met);
    payment.left -= moved;
    return moved;
  }
}
/** Account and contra account of the amount of a kind of transaction. docs/books.md, 'The processor'. */
const SIDES = { fee: [1040, 5300], payout: [1050, 1100], payoutReturned: [1050, 1100] };
/** The balance at the payment processor, and the closed months. */
export class Processor extends Stream {
  closedUntil = Number.NEGATIVE_INFINITY;
  apply(type, data, at) {
    if (type === 'MonthClosed') return this.close(data);
    if (type === 'TransactionMatched') return this.move([1015, 2300], -data.match.matchedCents, at);
    // A transaction that comes after the close of its month is posted when it comes.
    const createdAt = Date.parse(data.createdAt);
    this.record(type, data, createdAt < this.closedUntil ? at : createdAt);
  }
  record(type, { kind, grossCents, feeCents, match }, postedAt) {
    const isOther = type === 'TransactionDisowned';
    if (!isOther && type !== 'BalanceTransactionRecorded') fail('it is not known');
    const known = SIDES[kind] ? 0 : (match?.matchedCents ?? 0);
    this.move(SIDES[kind] ?? [1015, 2300], isOther ? -grossCents : grossCents - known, postedAt);
    this.move([1040, 5300], isOther ? feeCents : -feeCents, postedAt);
    if (isOther) this.move([1060, 2310], grossCents - feeCents, postedAt);
  }
  close({ month, creatorShare }) {
    this.need(creatorShare || !this.isRule2, `${month} is closed by rule 1 after a month of rule 2.`);
    this.isRule2 = creatorShare !== null;
    this.closedUntil = endOf(month);
  }
  move(accounts, cents, postedAt) {
    if (!Number.isFinite(postedAt)) fail('it has no time');
    for (const [index, account] of accounts.entries()) this.post(account, index ? -cents : cents, { postedAt });
  }
}
/** The class of a stream, by its name. */
const KINDS = { 'creditAccount-': Account, 'creatorPayout-': Payouts, 'creatorEarnings-': Earnings };
const kindOf = (stream) => (stream === 'processor' ? Processor : (KINDS[/^\w+-/.exec(stream)?.[0]] ?? Stream));
/** The first instant after a month, YYYY-MM. */
const endOf = (month) => Date.UTC(...month.split('-').map(Number));
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
  constructor(until, rule = 2) {
    Object.assign(this, { until, rule, cents: {}, creators: new Map(), knowsProcessor: false });
  }
  add(lines, at) {
    for (const { account, cents, creatorId, payableAt, postedAt } of lines) {
      if ((postedAt ?? at) <= this.until) this.cents[account] = (this.cents[account] ?? 0) + cents;
      if (postedAt <= this.until && cents !== 0) this.knowsProcessor = true;
      if (creatorId === undefined) continue;
      const sum = this.creators.get(creatorId) ?? { creatorId, cents: 0, payableCents: 0, payoutCents: 0, months: {} };
      this.creators.set(creatorId, sum);
      if (account === 2120 && at <= this.until) sum.payoutCents += cents;
      if (account !== 2100) continue;
      const month = isoOf(at).slice(0, 7);
      sum.months[month] = (sum.months[month] ?? 0) - cents;
      sum.cents -= cents;
      if (payableAt <= this.until) sum.payableCents -= cents;
    }
  }
  /** How the shares of creators are divided at the instant. */
  parts() {
    const creators = [...this.creators.values()];
    const left = creators.map(({ payableCents, payoutCents }) => payableCents - payoutCents);
    const [payableCents, debtCents] = [1, -1].map((side) => sumOf(left, (cents) => Math.max(0, side * cents)));
    const pending = (this.cents[2100] ?? 0) + sumOf(creators, (creator) => creator.payableCents);
    return { pendingCents: 0 - pending, payableCents, debtCents };
  }
  /** Cents of accounts that are not those of the lines. By rule 2, a payout leaves 2100 for 2130 and then the bank. */
  moved() {
    const [bank, share, taken, paid] = [1100, 2100, 2120, 2140].map((account) => this.cents[account] ?? 0);
    if (this.rule !== 1) return { 1100: bank + paid, 2100: share + taken };
    const { pendingCents, payableCents, debtCents } = this.parts();
    return { 1200: debtCents, 2110: 0 - pendingCents, 2120: 0 - payableCents };
  }
  /** Every account with its cents, a debit above zero; null where they are unknown. */
  trialBalance() {
    const known = { ...this.cents, ...this.moved() };
    const rows = Array.from(CHART.matchAll(/(\d{4}) ([^,*]+)(\*?)/g), ([, number, name, isProcessor]) => {
      const [account, isUnknown] = [Number(number), isProcessor && !this.knowsProcessor];
      if (isUnknown && account === 1100 && this.rule !== 1)
        return { account, name: `${name} (payouts only)`, cents: known[account] };
      return { account, name, cents: isUnknown ? null : (known[account] ?? 0) };
    });
    return rows.filter(({ account }) => (this.rule === 1 ? account !== 2100 : !RULE_1.includes(account)));
  }
}
/** Compares the figures of a closed month with the books of its end. docs/books.md, 'Closed months'. */
function compareMonth({ month, balances, creatorShare = null }, months, { at, need }) {
  const [books, closed] = [months.get(month), new Map(balances.map(({ account, cents }) => [account, cents]))];
  need(at > books.until, `${month} was closed before its end.`);
  const due = new Map(books.trialBalance().map(({ account, cents }) => [account, cents ?? undefined]));
  for (const account of new Set([...due.keys(), ...closed.keys()])) {
    const [cents, found] = [due.get(account), closed.get(account)];
    // Months that were closed before these accounts existed lack them.
    const isLater = [1060, 2310].includes(account) && cents === 0 && found === undefined;
    need(isLater || cents === found, `Account ${account} had ${cents ?? 'unknown'} cents at the end of ${month}.`);
  }
  const parts = books.rule === 1 ? null : books.parts();
  need(same(creatorShare, parts), `2100 was divided in ${canonical(parts)} at the end of ${month}.`);
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
 * Verifies an export and recomputes all balances, the cents of all creators and the trial balance. `lines` returns the
 * lines of the file, `keys` and `rotations` are texts. `log` is null, or has texts of its `checkpoint` and of `kept`
 * ones, and `read`, which returns bytes of the log.
 */
export async function verifyExport({ lines, keys, rotations = '', log, allowNewer = false }, complain) {
  const records = [...rotations.matchAll(/.+/g)].map(([line]) => JSON.parse(line));
  const accepted = await acceptKeys(keys.map(readKey), records, complain);
  // The rule of revenue, the closed months and the time of the balances are at the end of the file.
  const months = new Map();
  let [cumulativeFrom, rule2Begins, count, last] = [null, Number.NEGATIVE_INFINITY, 0, ''];
  for await (const line of lines()) {
    [count, last] = [count + 1, line];
    const { event } = /"type":"(?:RevenueRuleAdopted|MonthClosed)"/.test(line) ? parseLine(line) : {};
    const { month, schemaVersion } = event?.type === 'MonthClosed' ? event.data : {};
    if (month) months.set(month, new Books(endOf(month) - 1, schemaVersion));
    if (schemaVersion === 1) rule2Begins = Math.max(rule2Begins, endOf(month));
    if (event?.stream === 'policy') cumulativeFrom ??= Date.parse(event.data.effectiveFrom);
  }
  const manifest = await openManifest(last, accepted, complain);
  const until = Date.parse(manifest.startedAt);
  const trusted = Array.from(accepted.values(), ({ key }) => key);
  const places = log && (await readLog(log, trusted, complain));
  const found = { events: 0, streams: 0, newer: 0, until, accounts: [] };
  const books = new Books(until, until < rule2Begins ? 1 : 2);
  const [tree, seen, newer, recorded] = [new Tree(), new Set(), [], new Map()];
  let [chain, place] = [null, -1];
  for await (const line of lines()) {
    if (tree.size === count - 1) break; // The manifest
    await tree.add(bytesOf(line));
    const { event, head } = parseLine(line);
    if (event?.data && event.metadata && (chain === null ? !seen.has(event.stream) : chain.stream === event.stream)) {
      const { stream, version, metadata } = event;
      if (chain === null) [chain, place] = [new (kindOf(stream))(stream, complain, cumulativeFrom), -1];
      seen.add(stream);
      found.events += 1;
      const own = places?.get(metadata.hash);
      places?.delete(metadata.hash);
      if (places && own === undefined && (found.newer += 1) < 10) newer.push(`${stream} @ ${version}`);
      if (own < place) complain(`${stream} @ ${version}: The log lacks the event before it, or has it later.`);
      place = own ?? Infinity;
      await chain.add(event);
      for (const each of [books, ...months.values()]) each.add(chain.lines, chain.at);
      if (stream === 'processor' && event.type === 'MonthClosed') compareMonth(event.data, months, chain);
      await compareShares(event, chain, { recorded, due: until - 900_000 });
    } else if (head && chain?.stream === head.stream && head.version === chain.version && head.hash === chain.hash) {
      found.streams += 1;
      chain.end?.();
      const { owner: userId, version } = chain;
      if (chain instanceof Account) found.accounts.push({ userId, version, ...chain.balance(until) });
      for (const [reference, { text }] of chain.shares ?? []) recorded.set(reference, text);
      chain = null;
    } else complain('A line is neither an event nor a head in its place.');
  }
  if (chain) complain(`${chain.stream}: The stream has no head.`);
  if (recorded.size > 0) complain(`No event makes ${recorded.size} shares: ${[...recorded.values()].slice(0, 9)}.`);
  if (manifest.merkleRoot !== (await tree.root())) complain('The lines are not those of the manifest.');
  if (places?.size > 0) complain(`${places.size} events of the log are missing: ${[...places.values()].slice(0, 9)}.`);
  if (found.newer > 0 && !allowNewer) complain(`The checkpoint does not cover ${found.newer} events: ${newer}.`);
  const creatorShare = books.rule === 1 ? null : books.parts();
  return { ...found, creators: [...books.creators.values()], trialBalance: books.trialBalance(), creatorShare };
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
 * before. `keysOf` returns the texts of the trusted keys for the origin of the checkpoint.
 */
export async function verifyStatement(text, keysOf, complain) {
  const lines = text.split('\n').slice(0, -1).map(parseLine);
  const [{ statement }, { proof }] = [lines.shift() ?? {}, lines.pop() ?? {}];
  const Kind = kindOf(statement?.stream);
  const isStatement = statement?.format === 'fanvas-statement' && statement.formatVersion === 1;
  if (!isStatement || !Kind.prototype.balance) throw new Error('This is no statement.');
  const chain = new Kind(statement.stream, complain);
  const isOwn = ({ event }) => event?.stream === statement.stream && event.metadata && event.data;
  if (!lines.every(isOwn)) complain('A line is no event of the stream.');
  for (const { event } of lines.filter(isOwn)) await chain.add(event);
  chain.end?.();
  const keys = (await keysOf(/\n\n(.*)/.exec(proof)?.[1] ?? '')).map(readKey);
  const checkpoint = await provenBy(String(proof), fromHex(chain.hash ?? ''), keys);
  const at = Date.parse(statement.at);
  return { stream: chain.stream, events: chain.version + 1, at, balance: chain.balance(at), checkpoint };
}
/** The lines of a table of the trial balance in dollars, a debit above zero, and the parts of 2100. */
function* tableOf(trialBalance, creatorShare) {
  const dollars = (cents) => (cents === null ? 'unknown' : (cents / 100).toFixed(2)).padStart(15);
  for (const { account, name, cents } of trialBalance) yield `${account} ${name.padEnd(40)}${dollars(cents)}`;
  const [debits, credits] = [Math.max, Math.min].map((side) => sumOf(trialBalance, ({ cents }) => side(0, cents)));
  yield `Total ${'of debits and of credits'.padEnd(39)}${dollars(debits)}${dollars(credits)}`;
  for (const [name, cents] of Object.entries(creatorShare ?? {}))
    yield `2100 ${`of it ${name.replace('Cents', '')}`.padEnd(40)}${dollars(name === 'debtCents' ? cents : 0 - cents)}`;
}
async function main() {
  const [{ createReadStream, promises }, { parseArgs }] = [await import('node:fs'), await import('node:util')];
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }];
  const texts = { key: text, rotations: text, log: text, checkpoint: { ...text, multiple: true, default: [] } };
  const options = { ...texts, 'without-log': flag, 'allow-newer': flag, json: flag };
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [command, file] = positionals;
  const isExport = command === 'export' && values.key && Boolean(values.log) !== Boolean(values['without-log']);
  if (!file || !(isExport || command === 'statement')) throw new Error('This file begins with its arguments.');
  const say = (line) => process.stdout.write(`${line}\n`);
  let problems = 0;
  const complain = (sentence) => (problems += 1) > 50 || process.stderr.write(`${sentence}\n`);
  const bytesAt = async (place) => {
    if (!/^https?:/.test(place)) return promises.readFile(place);
    const response = await globalThis.fetch(place);
    if (!response.ok) throw new Error(`${place}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const textAt = async (place) => new globalThis.TextDecoder().decode(await bytesAt(place));
  const keys = values.key ? [await textAt(values.key)] : [];
  if (isExport) {
    const lines = () => splitLines(createReadStream(file, 'utf8'));
    const folder = values.log?.replace(/\/$/, '');
    const read = (name) => bytesAt(`${folder}/${name}`);
    const kept = await Promise.all(values.checkpoint.map(textAt));
    const log = folder && { read, checkpoint: await textAt(`${folder}/checkpoint`), kept };
    const rotations = values.rotations && (await textAt(values.rotations));
    const input = { lines, keys, rotations, log, allowNewer: values['allow-newer'] };
    const { accounts, creators, trialBalance, creatorShare, ...counts } = await verifyExport(input, complain);
    const [credits, owed] = [sumOf(accounts, ({ total }) => total), sumOf(accounts, (account) => account.owed)];
    const sums = { ...counts, credits, owed, creatorCents: sumOf(creators, ({ cents }) => cents) };
    say(JSON.stringify({ ...sums, ...(values.json && { accounts, creators, trialBalance, creatorShare }), problems }));
    const verdict = problems === 0 ? 'All holds.' : `${problems} problems were found.`;
    if (!values.json) for (const line of [...tableOf(trialBalance, creatorShare), verdict]) say(line);
  } else {
    const siteOf = (origin) => `${/^(?:localhost|127\.)/.test(origin) ? 'http' : 'https'}://${origin}`;
    const keysOf = async (origin) => (keys.length > 0 ? keys : [await textAt(`${siteOf(origin)}/key`)]);
    const found = await verifyStatement(await textAt(file), keysOf, complain).catch(({ message }) => complain(message));
    if (problems === 0) say(`${found.stream}: ${found.events} events. Balance: ${canonical(found.balance)}.`);
    say(problems === 0 ? `Yes: checkpoint ${found.checkpoint.size} covers it.` : 'No: the statement is not true.');
  }
  return problems === 0 ? 0 : 1;
}

if (nodeHash && /verify-fanvas[^/\\]*\.mjs$/.test(process.argv[1] ?? '')) {
  process.exitCode = await main().catch(({ message }) => {
    process.stderr.write(`${message}\n`);
    return 2;
  });
}
