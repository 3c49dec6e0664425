import type grpc from '@grpc/grpc-js';
import { EventStoreDbLog } from './eventstoredb-log.js';
import { EventStoreDbServer, notLeader, notReady, type Membership, type NodeState } from './eventstoredb-server.js';

const NODES = 3;

/** The answers of an election, in this order; each phase ends after its number of answers. */
export interface Election {
  /** The other nodes name the leader that has died. */
  readonly stale: number;
  /** The other nodes are not ready. */
  readonly notReady: number;
  /** The gossip of the other nodes names no node that could answer. */
  readonly leaderless: number;
}

/** Three nodes of the EventStoreDB emulator over one log. The first one leads. Only the leader answers. */
export class EventStoreDbCluster implements Membership {
  readonly log = new EventStoreDbLog();
  private readonly nodes: EventStoreDbServer[] = [];
  private readonly dead = new Set<number>();
  private leader = 0;
  private phases: (keyof Election)[] = [];

  private constructor() {}

  static async start(): Promise<EventStoreDbCluster> {
    const cluster = new EventStoreDbCluster();
    const { log } = cluster;
    for (let n = 0; n < NODES; n += 1) cluster.nodes.push(await EventStoreDbServer.start({ log, cluster }));
    return cluster;
  }

  /** The hosts and ports of all nodes, the first leader first. */
  get hosts(): string {
    return this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  }

  /** Stops the leader. The next node leads after the answers of the election. */
  async killLeader(election: Election): Promise<void> {
    this.phases = (['stale', 'notReady', 'leaderless'] as const).flatMap((phase) =>
      Array.from({ length: election[phase] }, () => phase),
    );
    this.dead.add(this.leader);
    await this.nodes[this.leader]?.fail();
    if (this.phases.length === 0) this.elect();
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop();
  }

  members(): { port: number; state: NodeState; isAlive: boolean }[] {
    const isLeaderless = this.phases[0] === 'leaderless';
    const members = this.nodes.map(({ port }, index) => ({
      port,
      state: isLeaderless ? ('UNKNOWN' as const) : index === this.leader ? ('LEADER' as const) : ('FOLLOWER' as const),
      isAlive: !this.dead.has(index),
    }));
    if (isLeaderless) this.advance();
    return members;
  }

  refusal(port: number): Partial<grpc.StatusObject> | null {
    const [phase] = this.phases;
    const leaderPort = this.nodes[this.leader]?.port ?? 0;
    if (phase === undefined) return port === leaderPort ? null : notLeader(leaderPort);
    if (phase !== 'leaderless') this.advance();
    return phase === 'stale' ? notLeader(leaderPort) : notReady();
  }

  private advance(): void {
    this.phases.shift();
    if (this.phases.length === 0) this.elect();
  }

  private elect(): void {
    this.leader = this.nodes.findIndex((_, index) => !this.dead.has(index));
  }
}
