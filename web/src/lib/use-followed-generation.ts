import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { GenerationView } from '../../../src/contract/generation.js';
import { ApiError, rpc } from './api.js';
import { useViewer, viewer, whenKnown } from './auth.js';
import { generationKey } from './generation-key.js';
import { followGeneration, type Following } from './follow-generation.js';
import { checkStatus } from './status-check.js';
import { retryAfterMs } from './retry.js';
import { type ReadStream, sharedStream } from './shared-stream.js';
import { readEventStream } from './sse.js';

/** The server sends a heartbeat every second; a stream without one for this long is replaced. */
const STREAM_SILENCE_MS = 10_000;

/** Smaller differences between the clocks are network delay, not a wrong clock. */
const TOLERATED_SKEW_MS = 2_000;

export interface FollowedGeneration {
  readonly row: GenerationView | null;
  /** The row is the server's answer to this person; false while it is one that was known before. */
  readonly confirmed: boolean;
  /** The server's definite refusal; following has ended. */
  readonly refusal: ApiError | null;
  /** Both the stream and the checks fail at the moment. */
  readonly trouble: boolean;
  /** Server clock minus browser clock, in milliseconds. */
  readonly clockSkewMs: number;
  /** Checks now. */
  readonly checkNow: () => void;
  /** Shows this row until a newer one arrives. */
  readonly show: (row: GenerationView) => void;
}

interface State extends Pick<FollowedGeneration, 'row' | 'confirmed' | 'refusal' | 'trouble' | 'clockSkewMs'> {
  /** The row came with the page. */
  readonly cameWithPage: boolean;
}
const INITIAL: State = {
  row: null,
  confirmed: false,
  refusal: null,
  trouble: false,
  clockSkewMs: 0,
  cameWithPage: false,
};

/** A part of the live stream; without a row it is a sign of life. */
interface StreamPart {
  readonly row?: GenerationView;
  /** At the opening of the stream. */
  readonly clockSkewMs?: number;
}

/** The live stream of a generation, one for all tabs of this person. */
function streamOf(generationId: string, userId: string | undefined): ReadStream<StreamPart> {
  return sharedStream(`generation ${generationId} ${userId ?? ''}`, (receive, signal) =>
    readEventStream(`/events/generations/${encodeURIComponent(generationId)}`, {
      signal,
      onAlive: () => receive({}),
      silenceMs: STREAM_SILENCE_MS,
      token: (fresh) => (userId === undefined ? Promise.resolve(null) : viewer().getToken({ fresh })),
      onOpen: (serverTime) => {
        const skew = serverTime === null ? 0 : serverTime.getTime() - Date.now();
        receive({ clockSkewMs: Math.abs(skew) > TOLERATED_SKEW_MS ? skew : 0 });
      },
      onEvent: ({ event, data }) => {
        if (event === 'generation') receive({ row: JSON.parse(data) as GenerationView });
      },
    }),
  );
}

/**
 * Loads a generation and follows it to its end. Use a `key` to remount it for another id. A picture that came with the
 * page or with its gallery is not loaded for visitors.
 * @param restMs how long such a picture is shown before it is loaded
 */
export function useFollowedGeneration(generationId: string, restMs = 0): FollowedGeneration {
  const cache = useQueryClient();
  const [state, change] = useReducer(
    (before: State, now: Partial<State>) => ({ ...before, ...now }),
    INITIAL,
    () => {
      const row = cache.getQueryData<GenerationView>(generationKey(generationId)) ?? null;
      return { ...INITIAL, row, cameWithPage: row !== null };
    },
  );
  const { cameWithPage, ...shown } = state;
  const { status, user, expectSignedIn } = useViewer();
  const userId = user?.id;
  // A person with a session may see more, so the page waits to know. A visitor with a link does not wait.
  const follows = status === 'loading' ? !cameWithPage && !expectSignedIn : !cameWithPage || status === 'signed-in';
  const followed = useRef<Following | null>(null);
  const [rested, setRested] = useState(!cameWithPage || restMs === 0);
  useEffect(() => {
    if (rested) return undefined;
    const timer = setTimeout(() => setRested(true), restMs);
    return () => clearTimeout(timer);
  }, [rested, restMs]);

  useEffect(() => {
    // Later visits to this picture load it again.
    if (cameWithPage) cache.removeQueries({ queryKey: generationKey(generationId) });
  }, [cache, generationId, cameWithPage]);

  useEffect(() => {
    if (!follows || !rested) return undefined;
    const stream = streamOf(generationId, userId);
    const follow = (): Following =>
      followGeneration<GenerationView>({
        check: () =>
          checkStatus(
            () => rpc('get_generation_by_id', { p_generation_id: generationId }, { auth: userId !== undefined }),
            {
              wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
              isTrouble: (error) =>
                error instanceof ApiError &&
                (error.status === 0 || error.status >= 500 || [408, 429].includes(error.status)),
              retryAfterMs,
            },
          ),
        stream: (onRow, signal, onAlive) =>
          stream(({ row, clockSkewMs }) => {
            if (clockSkewMs !== undefined) change({ clockSkewMs });
            if (row) onRow(row);
            else onAlive();
          }, signal),
        stage: (row) => {
          if (row.status === 'completed') return 'over';
          if (row.status === 'failed') return row.credits_closed ? 'over' : 'ending';
          return 'pending';
        },
        isOlder: (row, known) => Date.parse(row.updated_at) < Date.parse(known.updated_at),
        onRow: (row) => change({ row, confirmed: true }),
        onTrouble: (trouble) => change({ trouble }),
        onRefused: (error) => {
          if (!(error instanceof ApiError)) throw error;
          change({ refusal: error });
          if (userId === undefined) void whenKnown(); // the page asks again for a person
        },
      });
    const following = follow();
    followed.current = following;
    // Check when the browser is back online or the tab becomes visible.
    const look = (): void => {
      if (document.visibilityState === 'visible') following.checkNow();
    };
    const reconnect = (): void => {
      // A failure from offline is no failure of the server.
      change({ trouble: false });
      following.checkNow();
    };
    window.addEventListener('online', reconnect);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('online', reconnect);
      document.removeEventListener('visibilitychange', look);
      following.stop();
    };
  }, [generationId, follows, rested, userId]);

  // Another person must not see the row, and may see a generation that a visitor was refused.
  useLayoutEffect(() => () => change(userId === undefined ? { refusal: null } : INITIAL), [userId]);

  return {
    ...shown,
    checkNow: useCallback(() => followed.current?.checkNow(), []),
    show: useCallback((row) => change({ row, confirmed: true }), []),
  };
}
