import { type Agent, request } from 'node:http';

/** A call of everyone. */
export const CALL = '/rest/v1/rpc/get_gallery_generations_public';

/** Requests that senders repeat in turn, or open sockets. */
export interface Attack {
  readonly port: number;
  /** Each sends its next request when the last one is answered. */
  readonly senders?: number;
  readonly requests?: readonly Sent[];
  readonly sockets?: number;
  /** Each socket announces a body and sends a byte of it now and then. */
  readonly drips?: boolean;
}

export interface Sent {
  readonly path: string;
  readonly body?: string;
  readonly token?: string;
  readonly agent?: Agent;
  readonly localAddress?: string;
  /** Cuts the connection. */
  readonly signal?: AbortSignal;
}

/** Sends a request. Returns the status; 0 when the connection was cut, which is one way to refuse a body. */
export function send(port: number, { path: to, body, token, agent, localAddress, signal }: Sent): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        path: to,
        method: body === undefined ? 'GET' : 'POST',
        ...(agent && { agent }),
        ...(localAddress !== undefined && { localAddress }),
        ...(signal && { signal }),
        headers: {
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode ?? 0));
      },
    );
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });
}
