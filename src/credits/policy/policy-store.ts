import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { inPages } from '../../platform/database/in-pages.js';
import { chainEvents, timeAfter } from '../../platform/event-store/chain-events.js';
import {
  EventStore,
  type StoredEvent,
  UnknownOutcomeError,
  WrongExpectedVersionError,
} from '../../platform/event-store/event-store.js';
import { IdGenerator } from '../../platform/ids.js';
import { CREDIT_SETTINGS, type CreditSettings } from '../account/constants.js';
import { ACCOUNT_STREAM_PREFIX } from '../account/events.js';
import type { PolicyMoment } from './decide.js';
import { POLICY_STREAM, type PolicyEvent } from './events.js';
import { NO_POLICY, policyOf, type Policy } from './policy.js';

/** Events per read. */
const PAGE_SIZE = 1000;
/** How often an instance looks for changes that another one made. */
const REFRESH_MS = 60_000;
/** Maximum number of decisions of one change. Each one after the first follows a write of another process. */
const MAX_DECISIONS = 10;

/** Decides which events follow from a policy; none when it says the same already. */
export type DecidePolicy = (policy: Policy, moment: PolicyMoment) => PolicyEvent[];

/**
 * Reads the policy from its stream.
 * @param known an earlier state: only later events are read
 * @throws StreamDeletedError, UnreadableEventError
 */
export async function readPolicy(
  eventStore: Pick<EventStore, 'readStream'>,
  known: Policy = NO_POLICY,
): Promise<Policy> {
  let policy = known;
  const pages = inPages<StoredEvent>(PAGE_SIZE, (last, limit) =>
    eventStore.readStream(POLICY_STREAM, { fromVersion: (last ?? known).version + 1, limit }),
  );
  for await (const page of pages) policy = policyOf(page, policy);
  return policy;
}

/**
 * The policy in this process, and the only writer of the stream `policy`. The policy is kept in memory and read again
 * every minute, so an instance follows the changes of the others.
 */
@Injectable()
export class PolicyStore implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(PolicyStore.name);
  private policy: Policy = NO_POLICY;
  private loading: Promise<Policy> | null = null;
  private following: NodeJS.Timeout | undefined;

  constructor(
    private readonly eventStore: EventStore,
    private readonly clock: Clock,
    private readonly ids: IdGenerator,
    @Inject(CREDIT_SETTINGS) private readonly settings: CreditSettings,
  ) {}

  /** Every process follows, also one that does no scheduled work. */
  onApplicationBootstrap(): void {
    this.following = setInterval(() => void this.follow(), REFRESH_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.following);
  }

  /** The policy as this process knows it; reads the stream if it knows none yet. */
  async get(): Promise<Policy> {
    return this.policy.version < 0 ? this.refresh() : this.policy;
  }

  /** Reads the events since the last read. Concurrent calls share one read. */
  refresh(): Promise<Policy> {
    this.loading ??= readPolicy(this.eventStore, this.policy)
      .then((policy) => this.keep(policy))
      .finally(() => {
        this.loading = null;
      });
    return this.loading;
  }

  /** Settings in force: those of the policy, which all instances share. Before it has any, those of this process. */
  async inForce(): Promise<CreditSettings> {
    const { dailyAmounts, adminGrantLimits } = await this.get();
    return {
      dailyGrantCredits: dailyAmounts.at(-1)?.amount ?? this.settings.dailyGrantCredits,
      adminGrantLimitCredits: adminGrantLimits.at(-1)?.amount ?? this.settings.adminGrantLimitCredits,
    };
  }

  /**
   * Decides on the newest policy and appends the events. When another process wrote first, it decides again, so each
   * change is stored once.
   * @param actorId who changes the policy
   * @throws any error of `decide`
   */
  async change(actorId: string, decide: DecidePolicy): Promise<Policy> {
    for (let decisions = 1; ; decisions += 1) {
      const policy = await this.refresh();
      const now = timeAfter(policy, this.clock.now());
      const isEmptyStore = (await this.eventStore.lastPosition(ACCOUNT_STREAM_PREFIX)) === null;
      const events = decide(policy, { now, isEmptyStore });
      if (events.length === 0) return policy;
      const causationId = this.ids.next();
      const origin = { actorId, causationId, correlationId: causationId, at: now };
      const withIds = events.map((event) => ({ id: this.ids.next(), ...event }));
      try {
        await this.eventStore.append(
          POLICY_STREAM,
          policy.version,
          chainEvents(POLICY_STREAM, policy, withIds, origin),
        );
      } catch (error) {
        // If the events were stored, the next decision has nothing to add.
        const isRepeatable = error instanceof WrongExpectedVersionError || error instanceof UnknownOutcomeError;
        if (!isRepeatable || decisions === MAX_DECISIONS) throw error;
      }
    }
  }

  /** Never rejects: the next run tries again, and the known policy stays in force. */
  async follow(): Promise<void> {
    await this.refresh().catch((error: unknown) => {
      this.logger.warn({ message: 'The policy could not be read; the known one stays in force.', error });
    });
  }

  private keep(policy: Policy): Policy {
    if (policy.version >= this.policy.version) this.policy = policy;
    return this.policy;
  }
}
