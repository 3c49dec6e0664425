/** Faults that a prompt can request as `[[name]]` or `[[name:milliseconds]]`, like a card processor's test cards. */
export const FAULTS = [
  // Outcome of the prediction
  'nsfw',
  'oom',
  'fail',
  'no-output',
  'missing-file',
  'corrupt',
  // The verdict of a text classifier, with the number of a hazard: `[[unsafe:12]]`
  'unsafe',
  // Duration; `timeout` and `hang` run until they are cancelled or their deadline ends them
  'timeout',
  'hang',
  'slow',
  'cold',
  // Responses and webhooks
  'rate-limit',
  'http-500',
  'drop-response',
  'lost-webhook',
  'dup-webhook',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Faults of one prediction, with their milliseconds if the prompt gives them. */
export type Faults = Readonly<Partial<Record<Fault, number | true>>>;

const MARKER = /\[\[([a-z0-9-]+)(?::(\d{1,7}))?\]\]/g;

/** The faults that a prompt requests; unknown markers are plain text. */
export function readFaults(prompt: unknown): Faults {
  if (typeof prompt !== 'string') return {};
  const found = [...prompt.matchAll(MARKER)].flatMap(([, name, ms]): [Fault, number | true][] => {
    const fault = FAULTS.find((known) => known === name);
    return fault ? [[fault, ms === undefined ? true : Number(ms)]] : [];
  });
  return Object.fromEntries(found);
}

/** The prompt without its markers, for drawing. */
export function withoutMarkers(prompt: unknown): string {
  return typeof prompt === 'string' ? prompt.replace(MARKER, '').trim() : '';
}
