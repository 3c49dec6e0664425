import { IsString, Length, Matches } from 'class-validator';
import { type AdminAct } from '../acts.js';
import { type Count, type Instant, type NoParameters } from '../scalars.js';
import { ID_LENGTH, INSTANT_LENGTH, IsText, IsWhole, MAX_INTEGER, Optional } from './fields.js';

export class ActFilter {
  @Optional(IsString(), Length(1, ID_LENGTH))
  p_actor_id?: string | null;

  /** A kind, or an area with a dot: `credits.`. */
  @Optional(Matches(/^[a-z_]{1,40}\.[a-z_]{0,40}$/, { message: 'p_kind must be a kind of act, or an area with a dot' }))
  p_kind?: string | null;

  /** An id of a subject, a user or a creator. */
  @Optional(IsString(), Length(1, ID_LENGTH))
  p_about?: string | null;

  /** From this instant on. */
  @Optional(IsText(INSTANT_LENGTH))
  p_from?: Instant | null;

  /** Before this instant. */
  @Optional(IsText(INSTANT_LENGTH))
  p_to?: Instant | null;

  /** A part of a reason or of a subject's name, three letters at least: shorter texts have no index. */
  @Optional(IsString(), Length(3, 200), Matches(/^[^\u0000]*$/))
  p_search?: string | null;
}

export class ActsRequest extends ActFilter {
  @Optional(IsWhole(1, 100))
  p_limit?: Count;

  /** Acts with a lower number. */
  @Optional(IsWhole(1, MAX_INTEGER))
  p_before?: Count | null;
}

export interface ActCalls {
  /** A page of the log, the latest first; 50 by default. */
  list_admin_acts: { request: ActsRequest; response: AdminAct[] };
  /** Everyone who is in the log, by name. */
  list_admin_actors: {
    request: NoParameters;
    response: readonly { readonly actor_id: string; readonly actor_name: string | null; readonly acts: Count }[];
  };
}
