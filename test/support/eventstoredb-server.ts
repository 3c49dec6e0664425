import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { type AddressInfo, createServer, type Server as TcpServer, type Socket } from 'node:net';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';

/** As EventStoreDB limits it by default. */
const MAX_APPEND_BYTES = 1024 * 1024;
/** Every so many appends the server writes an event of its own, as real ones do. */
const SYSTEM_EVENT_EVERY = 7;

interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
  readonly metadata: string;
}

interface Recorded extends Proposed {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly at: number;
}

type Expected = 'no stream' | number;
type Outcome = { readonly last: Recorded } | { readonly current: number };
type ReadCall = grpc.ServerWritableStream<InstanceType<typeof streams.ReadReq>, InstanceType<typeof streams.ReadResp>>;
type AppendCall = grpc.ServerReadableStream<
  InstanceType<typeof streams.AppendReq>,
  InstanceType<typeof streams.AppendResp>
>;

export interface EventStoreDbServerOptions {
  /** Where events are kept, one append a line; without it they are gone with the server. */
  readonly file?: string;
  /** 0, the default: any free one. */
  readonly port?: number;
}

/**
 * Simulates EventStoreDB over its gRPC protocol, with the generated stubs of the client: Append, Read (a stream,
 * `$all`, and subscriptions to `$all` with a filter), GetSupportedMethods and Gossip. Every other call, BatchAppend
 * included, returns UNIMPLEMENTED. The behaviour follows the sources and the documentation of the server; it was never
 * compared with a real server on this project's machines.
 */
export class EventStoreDbServer {
  /** Calls by name, for tests that count. */
  readonly calls: string[] = [];
  private readonly log: Recorded[] = [];
  private readonly byStream = new Map<string, Recorded[]>();
  private readonly appended = new EventEmitter().setMaxListeners(0);
  private readonly sockets = new Set<Socket>();
  private readonly grpcServer = new grpc.Server();
  private listener: TcpServer | null = null;
  private usedPort = 0;
  private unanswered: string | null = null;
  private redirects = 0;
  private readDelayMs = 0;
  private appendDelayMs = 0;
  private end = 0;
  private appends = 0;

  private constructor(private readonly file: string | undefined) {}

  static async start({ file, port = 0 }: EventStoreDbServerOptions = {}): Promise<EventStoreDbServer> {
    const server = new EventStoreDbServer(file);
    server.load();
    server.register();
    server.usedPort = port;
    await server.listen();
    return server;
  }

  get port(): number {
    return this.usedPort;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.usedPort}?tls=false`;
  }

  /** The append that holds this event will be stored, and every connection cut instead of an answer. */
  loseAnswerTo(eventId: string): void {
    this.unanswered = eventId;
  }

  /** The next appends are refused, as by a node that is not the leader; the leader it names is this server. */
  redirectAppends(count = 1): void {
    this.redirects = count;
  }

  /** From now on reads begin to answer after this long. */
  slowReads(ms: number): void {
    this.readDelayMs = ms;
  }

  /** From now on appends are stored only after this long. */
  slowAppends(ms: number): void {
    this.appendDelayMs = ms;
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
      // The connection was cut on purpose, or the client has gone.
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
    });
    this.grpcServer.addService(featuresService.ServerFeaturesService, {
      getSupportedMethods: (
        _call: unknown,
        answer: grpc.sendUnaryData<InstanceType<typeof features.SupportedMethods>>,
      ) => {
        this.calls.push('GetSupportedMethods');
        const supported = new features.SupportedMethods().setEventStoreServerVersion('24.10.0');
        // BatchAppend is offered, as real servers do, so that a client that would use it is found out.
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
        const member = new gossip.MemberInfo()
          .setState(gossip.MemberInfo.VNodeState.LEADER)
          .setIsAlive(true)
          .setInstanceId(new shared.UUID().setString(randomUUID()))
          .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(this.usedPort));
        answer(null, new gossip.ClusterInfo().setMembersList([member]));
      },
    });
  }

  private onAppend(call: AppendCall, answer: grpc.sendUnaryData<InstanceType<typeof streams.AppendResp>>): void {
    let options: InstanceType<typeof streams.AppendReq.Options> | undefined;
    const proposed: Proposed[] = [];
    let bytes = 0;
    call.on('data', (request: InstanceType<typeof streams.AppendReq>) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (!message) return;
      bytes += message.getData_asU8().length + message.getCustomMetadata_asU8().length;
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
      if (expected === null) {
        answer({ code: grpc.status.UNIMPLEMENTED, details: 'Only with an expected revision.' });
      } else if (this.redirects > 0) {
        this.redirects -= 1;
        answer(
          refusal('not-leader', 'Leader info available.', {
            'leader-endpoint-host': '127.0.0.1',
            'leader-endpoint-port': String(this.usedPort),
          }),
        );
      } else if (bytes > MAX_APPEND_BYTES) {
        answer(
          refusal('maximum-append-size-exceeded', 'Maximum Append Size Exceeded.', {
            'maximum-append-size': String(MAX_APPEND_BYTES),
          }),
        );
      } else {
        const outcome = this.append(stream, expected, proposed);
        if (proposed.some(({ id }) => id === this.unanswered)) {
          this.unanswered = null;
          this.cut();
        } else answer(null, answerTo(expected, outcome));
      }
    };
    call.on('end', () => {
      if (this.appendDelayMs > 0) setTimeout(end, this.appendDelayMs).unref();
      else end();
    });
  }

  /** A repeat is recognised by the ids of the events at the expected versions. */
  private append(stream: string, expected: Expected, proposed: readonly Proposed[]): Outcome {
    const before = this.byStream.get(stream) ?? [];
    const from = expected === 'no stream' ? 0 : expected + 1;
    if (from !== before.length) {
      const stored = before.slice(from, from + proposed.length);
      const last = stored.at(-1);
      const repeated = stored.length === proposed.length && stored.every(({ id }, at) => id === proposed[at]?.id);
      return repeated && last ? { last } : { current: before.length - 1 };
    }
    const at = Date.now();
    const recorded = proposed.map((one, index) => this.record(stream, from + index, at, one));
    this.keep(recorded);
    this.appends += 1;
    if (this.appends % SYSTEM_EVENT_EVERY === 0) this.recordOwnEvent(at);
    this.appended.emit('append');
    const last = recorded.at(-1);
    return last ? { last } : { current: before.length - 1 };
  }

  private recordOwnEvent(at: number): void {
    const stream = '$stats-127.0.0.1:2113';
    const data = Buffer.from('{"es-queues":1}').toString('base64');
    const event = { id: randomUUID(), type: '$statsCollected', contentType: 'application/json', data, metadata: '' };
    this.keep([this.record(stream, this.byStream.get(stream)?.length ?? 0, at, event)]);
  }

  private record(stream: string, revision: number, at: number, proposed: Proposed): Recorded {
    // Positions have gaps: they are places in a log of records of different lengths.
    this.end += 64 + proposed.data.length + proposed.metadata.length;
    return { ...proposed, stream, revision, position: this.end, at };
  }

  private keep(recorded: readonly Recorded[]): void {
    if (this.file) appendFileSync(this.file, `${JSON.stringify(recorded)}\n`);
    this.index(recorded);
  }

  private index(recorded: readonly Recorded[]): void {
    for (const event of recorded) {
      this.log.push(event);
      const events = this.byStream.get(event.stream);
      if (events) events.push(event);
      else this.byStream.set(event.stream, [event]);
      this.end = event.position;
    }
  }

  /** Cuts off a last line that a kill left half written: its append was never acknowledged. */
  private load(): void {
    if (!this.file || !existsSync(this.file)) return;
    const content = readFileSync(this.file);
    const completeBytes = content.lastIndexOf(0x0a) + 1;
    if (completeBytes < content.length) truncateSync(this.file, completeBytes);
    for (const line of content.subarray(0, completeBytes).toString('utf8').split('\n')) {
      if (line !== '') this.index(JSON.parse(line) as Recorded[]);
    }
  }

  private onRead(call: ReadCall): void {
    const options = call.request.getOptions();
    const answer = (): void => {
      // The client gave up while it waited.
      if (call.cancelled) return;
      if (options?.hasSubscription()) this.subscribe(call);
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
    let source = this.log;
    let start: number;
    if (ofStream) {
      const identifier = ofStream.getStreamIdentifier();
      const events = this.byStream.get(textOf(identifier?.getStreamName_asU8()));
      if (!events) {
        const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier);
        call.write(new streams.ReadResp().setStreamNotFound(notFound));
        call.end();
        return;
      }
      source = events;
      start = ofStream.hasRevision() ? Number(ofStream.getRevision()) : 0;
      if (ofStream.hasEnd()) start = source.length - 1;
    } else {
      const ofAll = options?.getAll();
      const from = ofAll?.hasPosition() ? Number(ofAll.getPosition()?.getCommitPosition()) : null;
      start = from === null ? 0 : firstFrom(this.log, from);
      // A position is read forwards from its event on, and backwards from the one before it.
      if (backwards) start = from === null ? this.log.length - 1 : start - 1;
    }
    let left = Number(options?.getCount() ?? 0);
    for (let at = start; at >= 0 && at < source.length && left > 0; at += backwards ? -1 : 1, left -= 1) {
      const event = source[at];
      if (event) call.write(eventAnswer(event));
    }
    call.end();
  }

  private subscribe(call: ReadCall): void {
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
    if (ofAll.hasEnd()) next = this.log.length;
    if (ofAll.hasPosition()) next = firstFrom(this.log, Number(ofAll.getPosition()?.getCommitPosition()) + 1);
    let live = false;
    let seen = 0;
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
    call.write(new streams.ReadResp().setConfirmation(confirmation));
    const pump = (): void => {
      for (; next < this.log.length; next += 1) {
        const event = this.log[next];
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
    this.appended.on('append', pump);
    call.on('cancelled', () => {
      this.appended.off('append', pump);
      call.end();
    });
    pump();
  }
}

function expectedOf(options: InstanceType<typeof streams.AppendReq.Options> | undefined): Expected | null {
  if (options?.hasNoStream()) return 'no stream';
  return options?.hasRevision() ? Number(options.getRevision()) : null;
}

function answerTo(expected: Expected, outcome: Outcome): InstanceType<typeof streams.AppendResp> {
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

/** The server names its reasons in the trailing metadata. */
function refusal(
  exception: string,
  details: string,
  more: Readonly<Record<string, string>>,
): Partial<grpc.StatusObject> {
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries({ exception, ...more })) metadata.set(key, value);
  const code = exception === 'not-leader' ? grpc.status.NOT_FOUND : grpc.status.INVALID_ARGUMENT;
  return { code, details, metadata };
}

function eventAnswer(event: Recorded): InstanceType<typeof streams.ReadResp> {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(
      new shared.StreamIdentifier().setStreamName(Buffer.from(event.stream, 'utf8').toString('base64')),
    )
    .setStreamRevision(String(event.revision))
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

/** Index of the first event at this position or behind it. */
function firstFrom(log: readonly Recorded[], position: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle]?.position ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function textOfUuid(uuid: InstanceType<typeof shared.UUID> | undefined): string {
  return uuid?.getString().toLowerCase() ?? '';
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}
