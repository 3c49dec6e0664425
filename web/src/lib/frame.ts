import type { RpcName, RpcResponse } from '../../../src/contract/calls.js';
import type { FrameRequest } from '../../../src/contract/calls/frame.js';
import type { Frame } from '../../../src/contract/frame.js';
import { rpc } from './api.js';
import { viewer } from './auth.js';

/** As long as any other answer, milliseconds. */
const FRESH_MS = 30_000;

/** The calls whose first answer comes with the frame. `creators`: whether the person has a row of that table. */
const PARTS: { readonly [Name in RpcName]?: (frame: Frame) => RpcResponse<Name> | undefined } & {
  readonly creators: (frame: Frame) => boolean | undefined;
} = {
  check_admin_by_jwt: ({ roles }) => roles?.includes('admin'),
  get_own_roles_by_jwt: ({ roles }) => roles,
  creators: (frame) => frame.is_creator,
  get_user_credit_breakdown: ({ credits }) => credits,
  has_active_pending_generation_jwt: (frame) => frame.has_active_generation,
  get_own_suspension_by_jwt: ({ suspension }) => suspension,
  get_admin_counts: (frame) => frame.admin_counts,
  get_open_difference_count: (frame) => frame.open_differences,
};

/** The frame of this load of the page, with the parts that nothing has taken yet. */
let frame: {
  readonly userId: string;
  readonly askedAt: number;
  readonly answer: Promise<Frame>;
  readonly left: Set<string>;
} | null = null;

/**
 * The answer of a read. The first time it comes with all that the frame of the page asks, in one call; later, and when
 * that call has no such part, it comes from the call of its own.
 */
export async function frameFirst<T>(name: RpcName | 'creators', own: () => Promise<T>): Promise<T> {
  const userId = viewer().user?.id;
  const part = PARTS[name] as ((frame: Frame) => T | undefined) | undefined;
  if (!part || userId === undefined) return own();
  if (frame?.userId !== userId) {
    const answer = rpc('get_frame', requestOf(window.location.pathname));
    frame = { userId, askedAt: Date.now(), answer, left: new Set(Object.keys(PARTS)) };
  }
  if (!frame.left.delete(name) || Date.now() - frame.askedAt >= FRESH_MS) return own();
  // Each read says itself why it fails.
  const answer = await frame.answer.then(part, () => undefined);
  return answer === undefined ? own() : answer;
}

/** Something has changed: what nothing has taken yet may be wrong. */
export function outdateFrame(): void {
  frame?.left.clear();
}

/** Another person may be there: the frame is asked again. */
export function forgetFrame(): void {
  frame = null;
}

/** Work areas show what is open there, and no balance. `/audit/verify` is a page of the site. */
function requestOf(path: string): FrameRequest {
  const area = /^\/(admin|finance|audit(?!\/verify))(?:\/|$)/.exec(path)?.[1] as FrameRequest['p_area'];
  return area ? { p_area: area } : {};
}
