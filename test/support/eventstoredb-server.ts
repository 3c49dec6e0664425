import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as TcpServer, type Socket } from 'node:net';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import {
  EventStoreDbLog,
  revisionOf,
  type Expected,
  type Outcome,
  type Proposed,
  type Recorded,
} from './eventstoredb-log.js';

/** As EventStoreDB limits it by default. */
const MAX_APPEND_BYTES = 1024 * 1024;
/** The server gives up an append after this time, milliseconds, as EventStoreDB does by default. */
const COMMIT_TIMEOUT_MS = 2_000;

type ReadCall = grpc.ServerWritableStream<InstanceType<typeof streams.ReadReq>, InstanceType<typeof streams.ReadResp>>;
type AppendCall = grpc.ServerReadableStream<
  InstanceType<typeof streams.AppendReq>,
  InstanceType<typeof streams.AppendResp>
>;
type DeletionOf<Request> = grpc.ServerUnaryCall<Request, unknown>;

/** The state of a node as its gossip names it. */
export type NodeState = 'LEADER' | 'FOLLOWER' | 'UNKNOWN';

/** The cluster as a node sees it. A single node leads itself. */
export interface Membership {
  /** Answers gossip. */
  members(): readonly { readonly port: number; readonly state: NodeState; readonly isAlive: boolean }[];
  /** Refuses a call that needs the leader, or returns null. */
  refusal(port: number): Partial<grpc.StatusObject> | null;
}

export interface EventStoreDbServerOptions {
  /** File of the events, one append a line. Without it, they end with the server. */
  readonly file?: string;
  /** 0, the default: any free one. */
  readonly port?: number;
  /** For a node of a cluster: the events of all nodes. */
  readonly log?: EventStoreDbLog;
  readonly cluster?: Membership;
}

/**
 * Simulates EventStoreDB over its gRPC protocol, with the generated stubs of the client: Append, Read (a stream,
 * `$all`, and subscriptions to `$all` with a filter), Delete, Tombstone, GetSupportedMethods and Gossip. Every other
 * call, BatchAppend included, returns UNIMPLEMENTED. The behaviour follows the sources and the documentation of the
 * server, and what real servers answered (docs/event-store.md).
 */
export class EventStoreDbServer {
  /** Calls by name, for tests that count. */
  readonly calls: string[] = [];
  readonly log: EventStoreDbLog;
  private readonly cluster: Membership;
  private readonly sockets = new Set<Socket>();
  private readonly grpcServer = new grpc.Server();
  private listener: TcpServer | null = null;
  private usedPort: number;
  private unanswered: string | null = null;
  private redirects = 0;
  private readDelayMs = 0;
  private appendDelayMs = 0;
  private commitMs = 0;
  private commitTimeoutMs = COMMIT_TIMEOUT_MS;
  private aborts = 0;
  private maxEventBytes = Infinity;
  /** Appends that are not committed yet. */
  private readonly inFlight = new Set<string>();

  private constructor({ file, port = 0, log, cluster }: EventStoreDbServerOptions) {
    this.log = log ?? new EventStoreDbLog(file);
    this.usedPort = port;
    this.cluster = cluster ?? {
      members: () => [{ port: this.usedPort, state: 'LEADER', isAlive: true }],
      refusal: () => null,
    };
  }

  static async start(options: EventStoreDbServerOptions = {}): Promise<EventStoreDbServer> {
    const server = new EventStoreDbServer(options);
    server.register();
    await server.listen();
    return server;
  }

  get port(): number {
    return this.usedPort;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.usedPort}?tls=false`;
  }

  /** Stores the append of this event, then cuts every connection instead of answering. */
  loseAnswerTo(eventId: string): void {
    this.unanswered = eventId;
  }

  /**
   * The next calls that need the leader are refused, as by a node that is not the leader; the leader it names is this
   * server.
   */
  redirect(count = 1): void {
    this.redirects = count;
  }

  /** From now on reads begin to answer after this long. */
  slowReads(ms: number): void {
    this.readDelayMs = ms;
  }

  /** From now on appends arrive only after this long. */
  slowAppends(ms: number): void {
    this.appendDelayMs = ms;
  }

  /**
   * From now on appends are committed after this long. While one is not, the server drops a repeat without an answer,
   * and ends it after `timeoutMs` with ABORTED "Operation timed out: Commit phase timeout."
   */
  slowCommits(ms: number, timeoutMs = COMMIT_TIMEOUT_MS): void {
    this.commitMs = ms;
    this.commitTimeoutMs = timeoutMs;
  }

  /** The next appends are not stored and end with the same ABORTED, as when the leader loses its followers. */
  abortAppends(count: number, timeoutMs = COMMIT_TIMEOUT_MS): void {
    this.aborts = count;
    this.commitTimeoutMs = timeoutMs;
  }

  /** From now on a larger event is refused with `maximum-append-event-size-exceeded`, as from 25.0 on. */
  limitEvents(bytes: number): void {
    this.maxEventBytes = bytes;
  }

  /** Cuts all connections and refuses new ones until `recover`. */
  async fail(): Promise<void> {
    const { listener } = this;
    this.listener = null;
    const closed = listener ? once(listener, 'close') : null;
    listener?.close();
    this.cut();
    await closed;
  }

  async recover(): Promise<void> {
    await this.listen();
  }

  async stop(): Promise<void> {
    await this.fail();
    this.grpcServer.forceShutdown();
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private async listen(): Promise<void> {
    const injector = this.grpcServer.createConnectionInjector(grpc.ServerCredentials.createInsecure());
    const listener = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      // The connection was cut on purpose, or the client has disconnected.
      socket.on('error', () => socket.destroy());
      injector.injectConnection(socket);
    });
    listener.listen(this.usedPort, '127.0.0.1');
    await once(listener, 'listening');
    this.listener = listener;
    this.usedPort = (listener.address() as AddressInfo).port;
  }

  private register(): void {
    this.grpcServer.addService(streamsService.StreamsService, {
      append: (call: AppendCall, answer: grpc.sendUnaryData<InstanceType<typeof streams.AppendResp>>) => {
        this.calls.push('Append');
        this.onAppend(call, answer);
      },
      read: (call: ReadCall) => this.onRead(call),
      delete: (
        { request }: DeletionOf<InstanceType<typeof streams.DeleteReq>>,
        answer: grpc.sendUnaryData<InstanceType<typeof streams.DeleteResp>>,
      ) => {
        this.log.delete(textOf(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8()));
        answer(null, new streams.DeleteResp().setNoPosition(new shared.Empty()));
      },
      tombstone: (
        { request }: DeletionOf<InstanceType<typeof streams.TombstoneReq>>,
        answer: grpc.sendUnaryData<InstanceType<typeof streams.TombstoneResp>>,
      ) => {
        this.log.tombstone(textOf(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8()));
        answer(null, new streams.TombstoneResp().setNoPosition(new shared.Empty()));
      },
    });
    this.grpcServer.addService(featuresService.ServerFeaturesService, {
      getSupportedMethods: (
        _call: unknown,
        answer: grpc.sendUnaryData<InstanceType<typeof features.SupportedMethods>>,
      ) => {
        this.calls.push('GetSupportedMethods');
        const supported = new features.SupportedMethods().setEventStoreServerVersion('24.10.0');
        // BatchAppend is listed, as by real servers, so that a test detects a client that uses it.
        for (const method of ['read', 'append', 'batchappend']) {
          const one = new features.SupportedMethod().setServiceName('event_store.client.streams.streams');
          supported.addMethods(one.setMethodName(method));
        }
        answer(null, supported);
      },
    });
    this.grpcServer.addService(gossipService.GossipService, {
      read: (_call: unknown, answer: grpc.sendUnaryData<InstanceType<typeof gossip.ClusterInfo>>) => {
        this.calls.push('Gossip');
        const members = this.cluster
          .members()
          .map(({ port, state, isAlive }) =>
            new gossip.MemberInfo()
              .setState(gossip.MemberInfo.VNodeState[state])
              .setIsAlive(isAlive)
              .setInstanceId(new shared.UUID().setString(randomUUID()))
              .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port)),
          );
        answer(null, new gossip.ClusterInfo().setMembersList(members));
      },
    });
  }

  private onAppend(call: AppendCall, answer: grpc.sendUnaryData<InstanceType<typeof streams.AppendResp>>): void {
    let options: InstanceType<typeof streams.AppendReq.Options> | undefined;
    const proposed: Proposed[] = [];
    let bytes = 0;
    let largest = 0;
    call.on('data', (request: InstanceType<typeof streams.AppendReq>) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (!message) return;
      const size = message.getData_asU8().length + message.getCustomMetadata_asU8().length;
      bytes += size;
      largest = Math.max(largest, size);
      proposed.push({
        id: textOfUuid(message.getId()),
        type: message.getMetadataMap().get('type') ?? '',
        contentType: message.getMetadataMap().get('content-type') ?? '',
        data: message.getData_asB64(),
        metadata: message.getCustomMetadata_asB64(),
      });
    });
    const end = (): void => {
      const expected = expectedOf(options);
      const stream = textOf(options?.getStreamIdentifier()?.getStreamName_asU8());
      const refused = this.refusal(call);
      if (expected === null) {
        answer({ code: grpc.status.UNIMPLEMENTED, details: 'Only with an expected revision.' });
      } else if (refused) {
        answer(refused);
      } else if (largest > this.maxEventBytes) {
        answer(
          refusalWith(
            'maximum-append-event-size-exceeded',
            `Event with Id: ${proposed[0]?.id}, Size: ${largest}, exceeds Maximum Append Event Size of ${this.maxEventBytes}.`,
            {},
          ),
        );
      } else if (bytes > MAX_APPEND_BYTES) {
        answer(
          refusalWith('maximum-append-size-exceeded', `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
            'maximum-append-size': String(MAX_APPEND_BYTES),
          }),
        );
      } else this.commitLater({ stream, expected, proposed }, answer);
    };
    call.on('end', () => {
      if (this.appendDelayMs > 0) setTimeout(end, this.appendDelayMs).unref();
      else end();
    });
  }

  private commitLater(
    append: { readonly stream: string; readonly expected: Expected; readonly proposed: readonly Proposed[] },
    answer: grpc.sendUnaryData<InstanceType<typeof streams.AppendResp>>,
  ): void {
    const { stream, expected, proposed } = append;
    const commit = (): void => {
      const outcome = this.log.append(stream, expected, proposed);
      if (proposed.some(({ id }) => id === this.unanswered)) {
        this.unanswered = null;
        this.cut();
      } else if (outcome === 'deleted') answer(streamDeleted(stream));
      else answer(null, answerTo(expected, outcome));
    };
    const timeOut = (): void => {
      const timedOut = { code: grpc.status.ABORTED, details: 'Operation timed out: Commit phase timeout.' };
      setTimeout(() => answer(timedOut), this.commitTimeoutMs).unref();
    };
    if (this.aborts > 0) {
      this.aborts -= 1;
      timeOut();
      return;
    }
    if (this.commitMs === 0) {
      commit();
      return;
    }
    const key = JSON.stringify([stream, expected, proposed.map(({ id }) => id)]);
    if (this.inFlight.has(key)) {
      timeOut();
      return;
    }
    this.inFlight.add(key);
    setTimeout(() => {
      this.inFlight.delete(key);
      commit();
    }, this.commitMs).unref();
  }

  /** The refusal of a call that needs the leader. */
  private refusal(call: { readonly metadata: grpc.Metadata }): Partial<grpc.StatusObject> | null {
    if (call.metadata.get('requires-leader')[0] !== 'true') return null;
    if (this.redirects > 0) {
      this.redirects -= 1;
      return notLeader(this.usedPort);
    }
    return this.cluster.refusal(this.usedPort);
  }

  private onRead(call: ReadCall): void {
    const options = call.request.getOptions();
    const answer = (): void => {
      // The client cancelled while the answer was delayed.
      if (call.cancelled) return;
      const refused = this.refusal(call);
      if (refused) call.emit('error', refused);
      else if (options?.hasSubscription()) this.subscribe(call);
      else this.answerRead(call);
    };
    this.calls.push(`Read ${options?.hasAll() ? '$all' : 'stream'}${options?.hasSubscription() ? ' on' : ''}`);
    if (this.readDelayMs > 0) setTimeout(answer, this.readDelayMs).unref();
    else answer();
  }

  private answerRead(call: ReadCall): void {
    const options = call.request.getOptions();
    const backwards = options?.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
    const ofStream = options?.getStream();
    let source: readonly Recorded[] = this.log.events;
    let start: number;
    if (ofStream) {
      const identifier = ofStream.getStreamIdentifier();
      const stream = textOf(identifier?.getStreamName_asU8());
      const events = this.log.read(stream);
      if (events === 'deleted') {
        call.emit('error', streamDeleted(stream));
        return;
      }
      if (!events) {
        const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier);
        call.write(new streams.ReadResp().setStreamNotFound(notFound));
        call.end();
        return;
      }
      source = events;
      const revision = ofStream.hasRevision() ? Number(ofStream.getRevision()) : 0;
      start = Math.max(0, revision - (events[0]?.revision ?? 0));
      if (ofStream.hasEnd()) start = source.length - 1;
    } else {
      const ofAll = options?.getAll();
      const from = ofAll?.hasPosition() ? Number(ofAll.getPosition()?.getCommitPosition()) : null;
      start = from === null ? 0 : this.log.firstFrom(from);
      // A position is read forwards from its event on, and backwards from the one before it.
      if (backwards) start = from === null ? source.length - 1 : start - 1;
    }
    let left = Number(options?.getCount() ?? 0);
    for (let at = start; at >= 0 && at < source.length && left > 0; at += backwards ? -1 : 1, left -= 1) {
      const event = source[at];
      if (event) call.write(eventAnswer(event));
    }
    call.end();
  }

  private subscribe(call: ReadCall): void {
    const { log } = this;
    const options = call.request.getOptions();
    const ofAll = options?.getAll();
    if (!ofAll) {
      call.emit('error', { code: grpc.status.UNIMPLEMENTED, details: 'Subscriptions are to $all only.' });
      return;
    }
    const filter = options?.getFilter();
    const wanted = matcherOf(filter);
    const every = (filter?.hasMax() ? filter.getMax() : 32) * (filter?.getCheckpointintervalmultiplier() ?? 1);
    let next = 0;
    if (ofAll.hasEnd()) next = log.events.length;
    if (ofAll.hasPosition()) next = this.log.firstFrom(Number(ofAll.getPosition()?.getCommitPosition()) + 1);
    let live = false;
    let seen = 0;
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
    call.write(new streams.ReadResp().setConfirmation(confirmation));
    const pump = (): void => {
      for (; next < log.events.length; next += 1) {
        const event = log.events[next];
        if (!event) continue;
        if (wanted(event)) call.write(eventAnswer(event));
        seen += 1;
        if (!filter || seen % every !== 0) continue;
        const checkpoint = new streams.ReadResp.Checkpoint();
        checkpoint.setCommitPosition(String(event.position)).setPreparePosition(String(event.position));
        call.write(new streams.ReadResp().setCheckpoint(checkpoint));
      }
      if (!live) call.write(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
      live = true;
    };
    log.appended.on('append', pump);
    call.on('cancelled', () => {
      log.appended.off('append', pump);
      call.end();
    });
    pump();
  }
}

function expectedOf(options: InstanceType<typeof streams.AppendReq.Options> | undefined): Expected | null {
  if (options?.hasNoStream()) return 'no stream';
  return options?.hasRevision() ? Number(options.getRevision()) : null;
}

function answerTo(expected: Expected, outcome: Exclude<Outcome, 'deleted'>): InstanceType<typeof streams.AppendResp> {
  if ('last' in outcome) {
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(String(outcome.last.position)).setPreparePosition(String(outcome.last.position));
    const success = new streams.AppendResp.Success().setCurrentRevision(String(outcome.last.revision));
    return new streams.AppendResp().setSuccess(success.setPosition(position));
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (outcome.current >= 0) wrong.setCurrentRevision(String(outcome.current));
  else wrong.setCurrentNoStream(new shared.Empty());
  if (expected === 'no stream') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

/** The answer of a node that is not the leader and knows it. The server names its reasons in the trailing metadata. */
export function notLeader(leaderPort: number): Partial<grpc.StatusObject> {
  return refusalWith('not-leader', 'Leader info available', {
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': String(leaderPort),
  });
}

/** The answer of a node while no leader is elected. */
export function notReady(): Partial<grpc.StatusObject> {
  return { code: grpc.status.UNAVAILABLE, details: 'Server Is Not Ready' };
}

function streamDeleted(stream: string): Partial<grpc.StatusObject> {
  return refusalWith('stream-deleted', `Event stream '${stream}' is deleted.`, { 'stream-name': stream });
}

const CODES: Readonly<Record<string, grpc.status>> = {
  'not-leader': grpc.status.NOT_FOUND,
  'stream-deleted': grpc.status.FAILED_PRECONDITION,
};

function refusalWith(
  exception: string,
  details: string,
  more: Readonly<Record<string, string>>,
): Partial<grpc.StatusObject> {
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries({ exception, ...more })) metadata.set(key, value);
  return { code: CODES[exception] ?? grpc.status.INVALID_ARGUMENT, details, metadata };
}

function eventAnswer(event: Recorded): InstanceType<typeof streams.ReadResp> {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(
      new shared.StreamIdentifier().setStreamName(Buffer.from(event.stream, 'utf8').toString('base64')),
    )
    .setStreamRevision(revisionOf(event))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  const about = recorded.getMetadataMap();
  about.set('type', event.type);
  about.set('content-type', event.contentType);
  // In ticks of 100 nanoseconds
  about.set('created', String(BigInt(event.at) * 10_000n));
  const answer = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position));
  return new streams.ReadResp().setEvent(answer);
}

function matcherOf(
  filter: InstanceType<typeof streams.ReadReq.Options.FilterOptions> | undefined,
): (event: Recorded) => boolean {
  if (!filter) return () => true;
  const expression = filter.getEventType() ?? filter.getStreamIdentifier();
  const regex = expression?.getRegex() ? new RegExp(expression.getRegex()) : null;
  const prefixes = expression?.getPrefixList() ?? [];
  return (event) => {
    const text = filter.hasEventType() ? event.type : event.stream;
    return regex ? regex.test(text) : prefixes.some((prefix) => text.startsWith(prefix));
  };
}

function textOfUuid(uuid: InstanceType<typeof shared.UUID> | undefined): string {
  return uuid?.getString().toLowerCase() ?? '';
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}
