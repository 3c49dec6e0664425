import { domainToASCII } from 'node:url';

/** How a provider maps addresses to mailboxes. */
interface ProviderRule {
  /** The domain that stands for all of the provider's domains with the same mailboxes. */
  readonly domain: string;
  /** Everything from this character on is a tag. */
  readonly tag: '+' | '-';
  /** Characters without meaning in the local part. */
  readonly ignored?: RegExp;
}

const plus = (domain: string): ProviderRule => ({ domain, tag: '+' });
// Gmail ignores dots (support.google.com/mail/answer/7436150). googlemail.com has the same mailboxes.
const GMAIL: ProviderRule = { domain: 'gmail.com', tag: '+', ignored: /\./g };
// Proton ignores dots, hyphens and underscores. It reserves a name for one account on all its domains.
const PROTON: ProviderRule = { domain: 'proton.me', tag: '+', ignored: /[._-]/g };
// Apple gives me.com and mac.com addresses to their holders as icloud.com too.
const ICLOUD = plus('icloud.com');

/**
 * Providers that deliver several addresses to one mailbox. On other domains `a+b` and `a` may be different people, so
 * nothing is folded there. Outlook's domains have separate mailboxes; only the tag is ignored.
 */
const PROVIDERS: ReadonlyMap<string, ProviderRule> = new Map([
  ['gmail.com', GMAIL],
  ['googlemail.com', GMAIL],
  ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com'].map((domain) => [domain, plus(domain)] as const),
  ['icloud.com', ICLOUD],
  ['me.com', ICLOUD],
  ['mac.com', ICLOUD],
  ['proton.me', PROTON],
  ['protonmail.com', PROTON],
  ['protonmail.ch', PROTON],
  ['pm.me', PROTON],
  ...['fastmail.com', 'fastmail.fm'].map((domain) => [domain, plus(domain)] as const),
  // Yahoo's disposable addresses are `basename-keyword`; a Yahoo id contains no hyphen. Its `+` is no tag.
  ...['yahoo.com', 'ymail.com', 'rocketmail.com'].map((domain) => [domain, { domain, tag: '-' }] as const),
]);

/** Fastmail delivers `anything@name.fastmail.com` to `name@fastmail.com`. */
const FASTMAIL_SUBDOMAIN = /^([a-z0-9-]+)\.(fastmail\.(?:com|fm))$/;

/** Letters of scripts that are written together. A local part with letters of two of them imitates another one. */
const WRITING_SYSTEMS: readonly RegExp[] = [
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari', 'Bengali', 'Gurmukhi'],
  ...['Gujarati', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Ethiopic'],
].map((script) => new RegExp(`^[\\p{scx=${script}}\\p{M}]+$`, 'u'));
const EAST_ASIAN = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]+$/u;

/**
 * Small letters that look like ASCII letters or digits (Unicode's confusables.txt): Latin, Cyrillic, Greek, Armenian. A
 * local part whose letters are all of this kind imitates an ASCII one.
 */
const LOOK_ALIKES = new Set('ıɩɑɡʋƨʏ\u0307каеорсухіјѕԁһԛԝѵӏгпьαγικνορστυχյցհոսօզ');

/**
 * The address in the form in which all addresses of one mailbox are equal. Null when it is not an address, or when
 * its local part contains invisible characters, letters of several scripts, or letters that only look like ASCII.
 * A look-alike domain is another domain with other mailboxes, so it is not refused.
 */
export function normaliseAddress(address: string): string | null {
  const text = address.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
  const at = text.lastIndexOf('@');
  const domain = domainToASCII(text.slice(at + 1)).replace(/\.$/, '');
  const local = text.slice(0, at);
  if (at < 1 || domain === '' || !isHonest(local)) return null;
  const sub = FASTMAIL_SUBDOMAIN.exec(domain);
  if (sub) return `${sub[1]}@${sub[2]}`;
  const rule = PROVIDERS.get(domain);
  if (!rule) return `${local}@${domain}`;
  const [name = ''] = local.split(rule.tag);
  const mailbox = name.replace(rule.ignored ?? '', '');
  return mailbox === '' ? null : `${mailbox}@${rule.domain}`;
}

/** A local part without quotes, comments, spaces and symbols (RFC 6531), and without characters that are not shown. */
const PLAIN = /^[a-z0-9!#$%&'*+/=?^_`{|}~.\-\p{L}\p{M}]+$/u;
const NOT_SHOWN = /\p{Default_Ignorable_Code_Point}/u;

/** Whether the local part is ASCII, or letters of one writing system of which at least one differs from ASCII. */
function isHonest(local: string): boolean {
  if (!PLAIN.test(local) || NOT_SHOWN.test(local)) return false;
  const letters = local.match(/[\p{L}\p{M}]/gu) ?? [];
  if (letters.every((letter) => /[a-z]/.test(letter))) return true;
  return (
    [...WRITING_SYSTEMS, EAST_ASIAN].some((system) => system.test(letters.join(''))) &&
    letters.some((letter) => !/[a-z]/.test(letter) && !LOOK_ALIKES.has(letter))
  );
}
