/** What a prompt can ask to go wrong, as `[[name]]` or `[[name:milliseconds]]`; like a processor's test cards. */
export const FAULTS = [
  // How a prediction ends
  'nsfw',
  'oom',
  'fail',
  'no-output',
  'missing-file',
  'corrupt',
  // How long it takes: `timeout` and `hang` run until they are cancelled or their deadline ends them
  'timeout',
  'hang',
  'slow',
  'cold',
  // What the caller sees of it
  'rate-limit',
  'http-500',
  'drop-response',
  'lost-webhook',
  'dup-webhook',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Faults of one prediction, with their milliseconds where they were given. */
export type Faults = Readonly<Partial<Record<Fault, number | true>>>;

const MARKER = /\[\[([a-z0-9-]+)(?::(\d{1,7}))?\]\]/g;

/** The faults that a prompt asks for; unknown markers are plain text. */
export function readFaults(prompt: unknown): Faults {
  if (typeof prompt !== 'string') return {};
  const found = [...prompt.matchAll(MARKER)].flatMap(([, name, ms]): [Fault, number | true][] => {
    const fault = FAULTS.find((known) => known === name);
    return fault ? [[fault, ms === undefined ? true : Number(ms)]] : [];
  });
  return Object.fromEntries(found);
}

/** The prompt without its markers: what is drawn. */
export function withoutMarkers(prompt: unknown): string {
  return typeof prompt === 'string' ? prompt.replace(MARKER, '').trim() : '';
}
