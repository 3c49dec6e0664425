import { createHash, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { type RunningApp } from '../../../src/composition/compose.js';
import { Users } from '../../../src/identity/users.js';
import { withLogContext } from '../../../src/platform/logging/request-context.js';
import { type ApiUser } from '../api-client.js';
import { asOwner, type TestDatabase } from '../database.js';
import { type Statement, type StatementRecorder } from '../statements.js';
import { storeGeneration } from '../stored-generation.js';

/** Statements that the process sends for many requests together: hints about new events, and snapshots in batches. */
const IN_BACKGROUND = /pg_notify\('event_appended'|insert into credit_account_snapshot/;

/** The begin and the end of a transaction read nothing, and are not counted. */
const TRANSACTION = /^(begin|commit|rollback)\b/i;

/** An act makes its entry in the log with one statement more. That of a gallery reads its order before. */
const ENTRY = /update admin_act_head set|update gallery set salt/;

/** Polls until a projection includes the caller's latest write, for at most two seconds. */
const WAITING =
  /from "projection_checkpoint" where "name" = \$1$|from event e\s+where (not starts_with\(e\.stream, 'creditAccount-'\) and )?\(\$1::text is null/;

/** The request id of statements of the test itself. */
export const TEST = 'test';

/** A creator of the filled tables (`large-data.ts`). */
export const FILLED_CREATOR = createHash('md5')
  .update('creator1')
  .digest('hex')
  .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Shorter than the minute for which a process remembers a caller, and a token is valid (milliseconds). */
const REMEMBERED_MS = 30_000;

/** A request that was sent, and the statements of it that count. */
export interface Asked {
  readonly route: string;
  readonly variant: string;
  readonly statements: readonly Statement[];
}

interface Ask {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** The path through the call, where several exist. */
  readonly variant?: string;
  /** False: no earlier call has opened or loaded the caller's account. */
  readonly warm?: boolean;
}

/** The creator whose pictures fans make during the tour. */
export interface ToursCreator {
  readonly creatorId: string;
  readonly username: string;
  readonly deploymentName: string;
}

/** People of the tour. `newcomer` has made nothing. */
export interface People {
  readonly fan: ApiUser;
  readonly newcomer: ApiUser;
  readonly admin: ApiUser;
  readonly finance: ApiUser;
  readonly auditor: ApiUser;
}

/** Sends requests to an app and records their statements. The files of this folder send those of one area each. */
export class RequestTour {
  readonly asked: Asked[] = [];
  /** The token of each caller that the process has seen a short time ago. */
  private readonly known = new Map<ApiUser, { readonly token: string; readonly since: number }>();

  constructor(
    readonly app: RunningApp,
    readonly database: TestDatabase<unknown>,
    private readonly recorder: StatementRecorder,
  ) {}

  /** Work of the test, whose statements belong to no request. */
  readonly unheard = <T>(work: () => Promise<T>): Promise<T> => withLogContext({ requestId: TEST }, work);

  readonly sql = (text: string, values: unknown[] = []): Promise<unknown> =>
    this.unheard(() => this.database.pool.query(text, values));

  readonly asTheOwner = (text: string, values: unknown[]): Promise<unknown> =>
    this.unheard(() => asOwner(this.database).query(text, values));

  /**
   * Sends a request and records its statements. By default, the process has seen the caller within the last minute and
   * has the caller's account in memory, as for most requests.
   */
  readonly ask = async <T>(route: string, user: ApiUser | null, options: Ask = {}): Promise<T> => {
    const { path = route.split(' ')[1] ?? '', body, headers = {}, status = 200, variant = '', warm = true } = options;
    const [method = ''] = route.split(' ');
    await this.sql(`delete from rate_limit where key not like '%filled%'`);
    const token = user && (await this.tokenOf(user, warm));
    const response = await fetch(this.app.url + path, {
      method: method === 'ALL' ? 'POST' : method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${route} ${variant} answered ${response.status}: ${text}`);
    const requestId = response.headers.get('x-request-id') ?? '';
    const uncounted = [IN_BACKGROUND, WAITING, TRANSACTION, ENTRY];
    const own = this.recorder.ofRequest(requestId).filter(({ text }) => !uncounted.some((kind) => kind.test(text)));
    this.asked.push({ route, variant, statements: own });
    return (response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text) as T;
  };

  readonly rpc = <T>(name: string, user: ApiUser | null, body: object = {}, options: Ask = {}): Promise<T> =>
    this.ask<T>(`POST /rest/v1/rpc/${name}`, user, { ...options, body });

  readonly fn = <T>(name: string, user: ApiUser | null, body: object = {}, options: Ask = {}): Promise<T> =>
    this.ask<T>(`POST /functions/v1/${name}`, user, { ...options, body });

  /** Lets the process see the caller, unless it has seen the caller a short time ago. Returns a token. */
  private async tokenOf(user: ApiUser, warm: boolean): Promise<string> {
    const known = this.known.get(user);
    if (warm && known && performance.now() - known.since < REMEMBERED_MS) return known.token;
    // The process remembers a caller for a minute from the first request on: that minute begins here.
    if (warm) this.app.context.get(Users)['known'].delete(user.userId);
    await user.rpc(warm ? 'grant_daily_credits_by_jwt' : 'check_admin_by_jwt');
    const token = await user.token();
    if (warm) this.known.set(user, { token, since: performance.now() });
    return token;
  }
}

/** Images of a creator, as rows and by calls. */
export class ToursImages {
  constructor(
    private readonly tour: RequestTour,
    private readonly fan: ApiUser,
    private readonly creatorId: string,
  ) {}

  /** A generation of this status. Returns its id. */
  readonly stored = async (status: 'completed' | 'failed' | 'pending', userId = this.fan.userId): Promise<string> => {
    const id = v7();
    await storeGeneration(
      { query: this.tour.sql },
      {
        id,
        user_id: userId,
        creator_id: this.creatorId,
        status,
        prediction_id: `p-${id}`,
        credits_closed_at: status === 'completed' ? new Date() : null,
        not_before: new Date(Date.now() + 3_600_000),
        created_at: new Date(Date.now() - 60_000),
      },
    );
    return id;
  };

  /** Adds an image to the creator's gallery. Returns its id. */
  readonly inGallery = async (id: string): Promise<string> => {
    await this.tour.sql(
      `insert into gallery (creator_id, updated_at, updated_by) values ($1, now(), 'x') on conflict do nothing`,
      [this.creatorId],
    );
    await this.tour.sql(
      `insert into gallery_item (creator_id, place, generation_id)
       select $1, coalesce(max(place), 0) + 1, $2 from gallery_item where creator_id = $1`,
      [this.creatorId, id],
    );
    return id;
  };

  /** A generation in progress, old enough to be cancelled. */
  readonly drawing = async (p_request_id = randomUUID()): Promise<{ generation_id: string; prediction_id: string }> => {
    const started = await this.tour.rpc<{ generation_id: string; prediction_id: string }>(
      'start_generation_by_jwt',
      this.fan,
      {
        p_prompt: 'A fox',
        p_creator_id: this.creatorId,
        p_request_id,
      },
    );
    await this.tour.sql(`update generation set created_at = created_at - interval '1 minute' where id = $1`, [
      started.generation_id,
    ]);
    return started;
  };

  /** Makes a generation so old that it has timed out. */
  readonly tooOld = (id: string): Promise<unknown> =>
    this.tour.sql(`update generation set created_at = now() - interval '1 hour', not_before = now() where id = $1`, [
      id,
    ]);
}
