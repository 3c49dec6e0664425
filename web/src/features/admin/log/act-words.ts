import { ACT_KINDS, type ActKind, type ActState, type ActSubject } from '../../../../../src/contract/acts.js';

type Area<Kind = ActKind> = Kind extends `${infer Name}.${string}` ? Name : never;

const AREA_NAMES: Readonly<Record<Area, string>> = {
  consent: 'Consents',
  application: 'Applications',
  model: 'Models',
  creator: 'Creators',
  gallery: 'Galleries',
  image: 'Pictures',
  refusal: 'Refused prompts',
  prompt: 'Blocked prompts',
  user: 'Users',
  credits: 'Credits',
  purchase: 'Purchases',
  payment_problem: 'Payment problems',
  clock: 'Account clocks',
  payout: 'Payouts',
  payout_details: 'Payout details',
  books: 'The books',
  ledger: 'The ledger',
  log: 'The log',
};

interface AreaOfActs {
  /** The filter for all acts of the area: `credits.` */
  readonly filter: string;
  readonly name: string;
  readonly kinds: readonly ActKind[];
}

/** The areas with their kinds of acts, in the order of the contract. */
export const AREAS: readonly AreaOfActs[] = Object.entries(AREA_NAMES).map(([area, name]) => ({
  filter: `${area}.`,
  name,
  kinds: ACT_KINDS.filter((kind) => kind.startsWith(`${area}.`)),
}));

/** The filter by act that an address asks for: a kind or an area. Null for any other text. */
export function actFilterOf(text: string | null): string | null {
  const known = AREAS.some(({ filter, kinds }) => filter === text || kinds.some((kind) => kind === text));
  return known ? text : null;
}

export const SUBJECTS: Readonly<Record<ActSubject, string>> = {
  creator: 'creator',
  gallery: 'gallery',
  generation: 'picture',
  user: 'user',
  purchase: 'purchase',
  payment_problem: 'payment problem',
  refusal: 'refused prompt',
  proposal: 'proposal',
  payout_run: 'payout run',
  payout: 'payout',
  bank_report: 'file of the bank',
  book_month: 'month of the books',
  verification: 'verification',
  log: 'log',
};

/** Fields of values in words. Those that are missing are words already. */
export const FIELDS: Readonly<Record<string, string>> = {
  ahead_until: 'clock ahead until',
  amount_cents: 'amount',
  blocked: 'prompt blocked',
  bonus: 'bonus credits',
  creator_status: 'status',
  cutoff: 'earnings before',
  daily: 'daily credits',
  has_model: 'has a model',
  images: 'pictures in the gallery',
  is_featured: 'featured',
  is_visible: 'visible',
  kind: 'as',
  minimum_cents: 'minimum',
  number: 'run',
  p_about: 'about',
  p_actor_id: 'acts of',
  p_from: 'from',
  p_kind: 'kind of act',
  p_to: 'to',
  paid: 'paid credits',
  reordered: 'put in another order',
  reports_closed: 'reports closed',
  reports_opened: 'reports opened again',
  requests_decided: 'take-downs decided',
  requests_opened: 'take-downs opened again',
  state: 'picture',
  status: 'payment',
  strike_removed: 'strike taken back',
  take_down_requested: 'take-down asked for',
  total: 'all credits',
};

/** Values in words, by their field. Those that are missing are words already. */
export const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kind: { grant: 'a grant', adjust: 'a removal' },
  step: { draft: 'drafted', fix: 'amounts fixed', check: 'checked', cancel: 'cancelled' },
};

/** The states in words. */
export const STATES: Readonly<Record<ActState, string>> = {
  done: 'Done',
  open: 'Announced, its effect is not recorded yet',
  refused: 'Refused, nothing was changed',
};
