import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly trace: string;
  readonly id: string;
  /** Id of the span around it; empty for the first one of a trace. */
  readonly parent: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Traces that this span names as its cause. */
  readonly links: readonly string[];
  readonly failed: boolean;
}

/** Receives traces as OTLP over HTTP, as a collector of OpenTelemetry does. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = [];
  private readonly server = createServer((request, response) => {
    void buffer(request).then((body) => {
      this.requests.push({ path: request.url ?? '', headers: request.headers, body });
      this.spans.push(...spansOf(body));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A field of a message of Protocol Buffers: its number, and its bytes or its number as text. */
type Field = readonly [field: number, value: Buffer | string];

/** Numbers of fields: opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(request: Buffer): CollectedSpan[] {
  const scopes = inside(request, 1).flatMap((resource) => inside(resource, 2));
  return scopes.flatMap((scope) => inside(scope, 2)).map(spanOf);
}

function spanOf(span: Buffer): CollectedSpan {
  const hex = (message: Buffer, field: number): string => inside(message, field)[0]?.toString('hex') ?? '';
  const pairs = inside(span, 9).map((pair): [string, string] => {
    const value = fieldsOf(inside(pair, 2)[0] ?? Buffer.alloc(0))[0]?.[1] ?? '';
    return [String(inside(pair, 1)[0]), String(value)];
  });
  const status = fieldsOf(inside(span, 15)[0] ?? Buffer.alloc(0));
  return {
    trace: hex(span, 1),
    id: hex(span, 2),
    parent: hex(span, 4),
    name: String(inside(span, 5)[0]),
    attributes: new Map(pairs),
    links: inside(span, 13).map((link) => hex(link, 1)),
    failed: status.some(([field, value]) => field === 3 && value === '2'),
  };
}

function inside(message: Buffer, field: number): Buffer[] {
  return fieldsOf(message).flatMap(([found, value]) => (found === field && Buffer.isBuffer(value) ? [value] : []));
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    if (kind === 0) {
      fields.push([tag >> 3, String(varint())]);
      continue;
    }
    const length = kind === 1 ? 8 : kind === 5 ? 4 : Number(varint());
    fields.push([tag >> 3, message.subarray(at, at + length)]);
    at += length;
  }
  return fields;
}
