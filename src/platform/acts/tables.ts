import { type GeneratedAlways } from 'kysely';
import { type ActKind, type ActSubject } from '../../contract/acts.js';

/** The log of acts. The app may only add rows. */
export interface ActTables {
  /** One row: the last entry. Its lock orders the entries. */
  admin_act_head: { one: boolean; number: number; hash: string };
  admin_act: {
    id: string;
    /** From 1, without gaps. */
    number: number;
    /** The entry as canonical JSON: what the hash covers. */
    body: string;
    /** SHA-256 over the hash before it, a line end and `body`, hex. */
    hash: string;
    /** The next are read from `body` by the database, so they cannot differ from it. */
    kind: GeneratedAlways<ActKind>;
    /** Milliseconds since 1970. */
    at_ms: GeneratedAlways<number>;
    actor_id: GeneratedAlways<string>;
    subject_kind: GeneratedAlways<ActSubject>;
    subject_id: GeneratedAlways<string>;
    user_id: GeneratedAlways<string | null>;
    creator_id: GeneratedAlways<string | null>;
    /** `open`: the entry announces an act on the ledger or the processor. `done`, `refused`: how it ended. */
    state: GeneratedAlways<'done' | 'open' | 'refused'>;
    /** The announcement that this entry ends. */
    closes: GeneratedAlways<string | null>;
    /** The act that this one undoes. */
    undoes: GeneratedAlways<string | null>;
  };
  /** Texts that may name a person. The entry holds the salted hash of each, so each can be erased with its salt. */
  admin_act_personal: {
    act_id: string;
    /** The time of the act: addresses are erased by it. */
    at_ms: number;
    reason: string | null;
    reason_salt: string | null;
    address: string | null;
    address_salt: string | null;
    subject_name: string | null;
    subject_name_salt: string | null;
  };
}

/** The columns of texts that can be erased, as the entry names them in `personal`. */
export const ACT_TEXTS = ['reason', 'address', 'subject_name'] as const;

export type ActText = (typeof ACT_TEXTS)[number];
