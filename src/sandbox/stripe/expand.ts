import { invalid } from './problem.js';
import { type Store } from './store.js';

type Json = Readonly<Record<string, unknown>>;

/** Fields that can hold the object instead of its id, by the type of the object that contains them. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  'checkout.session': ['payment_intent', 'customer', 'invoice', 'payment_link', 'setup_intent', 'subscription'],
  payment_intent: ['latest_charge', 'customer', 'payment_method', 'review'],
  charge: ['payment_intent', 'balance_transaction', 'customer', 'review'],
  refund: ['charge', 'payment_intent', 'balance_transaction'],
  dispute: ['charge', 'payment_intent'],
  balance_transaction: ['source'],
  payout: ['balance_transaction', 'failure_balance_transaction'],
};

/** Kinds of objects that can be expanded, by the prefix of their ids. */
const KINDS_BY_PREFIX: Readonly<
  Record<string, 'paymentIntent' | 'charge' | 'refund' | 'dispute' | 'payout' | 'balanceTransaction'>
> = {
  pi: 'paymentIntent',
  ch: 'charge',
  re: 'refund',
  du: 'dispute',
  po: 'payout',
  txn: 'balanceTransaction',
};

const MAX_DEPTH = 4;

/** Replaces the ids at the paths in `expand` by their objects, such as `data.payment_intent.latest_charge`. */
export class Expander {
  constructor(private readonly store: Store) {}

  /** @throws StripeProblem for a field that cannot be expanded */
  expand(object: object, paths: readonly string[]): object {
    return paths.reduce((expanded, path) => {
      const names = path.split('.');
      if (names.length > MAX_DEPTH) {
        throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property. Property: ${path}`, {
          param: 'expand',
        });
      }
      return this.expandAlong(expanded as Json, names, path);
    }, object);
  }

  private expandAlong(object: Json, [name = '', ...rest]: readonly string[], path: string): Json {
    if (object.object === 'list' && name === 'data') {
      const data = (object.data as Json[]).map((item) => (rest.length > 0 ? this.expandAlong(item, rest, path) : item));
      return { ...object, data };
    }
    const value = object[name];
    const expandable = REFERENCES[String(object.object)]?.includes(name) || (typeof value === 'object' && value);
    if (!expandable) {
      const message = `This property cannot be expanded (${name}). You may want to try expanding '${path}' at another level.`;
      throw invalid(message, { param: 'expand' });
    }
    const found = typeof value === 'string' ? this.find(value) : value;
    if (typeof found !== 'object' || found === null) return object;
    return { ...object, [name]: rest.length > 0 ? this.expandAlong(found as Json, rest, path) : found };
  }

  private find(id: string): object | string {
    const kind = KINDS_BY_PREFIX[id.split('_')[0] ?? ''];
    return (kind && this.store.get(kind, id)?.object) ?? id;
  }
}
