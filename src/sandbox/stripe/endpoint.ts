import type Stripe from 'stripe';
import { type BalanceLedger } from './balance.js';
import { type Expander } from './expand.js';
import { type Faults } from './faults.js';
import { type Params } from './params.js';
import { type Processor } from './processor.js';
import { type SessionRow } from './rows.js';
import { type Store } from './store.js';

export interface ApiOptions {
  readonly store: Store;
  readonly processor: Processor;
  readonly ledger: BalanceLedger;
  readonly expander: Expander;
  readonly faults: Faults;
  readonly now: () => number;
  readonly toApiSession: (row: SessionRow) => Stripe.Checkout.Session;
}

/** The input of an endpoint. */
export interface Call {
  readonly id: string;
  readonly params: Params;
}

/** Computes the response of a call within one transaction. A refusal throws a `StripeProblem`. */
export type Endpoint = (call: Call) => object;
