import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server in front of another one that sends documents in pieces. */
export interface PiecewiseServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Passes requests on to a server. An HTML document is sent in pieces, as a browser meets it on a slow network or with a
 * busy parser.
 * @param target URL of the server
 * @param cut matches where a piece ends
 * @param arrived called after each piece but the last, with the number of pieces sent; the next one waits for it
 */
export async function startPiecewiseServer(
  target: string,
  cut: RegExp,
  arrived: (pieces: number) => Promise<unknown>,
): Promise<PiecewiseServer> {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: new URL(target).host, 'accept-encoding': 'identity' };
    const passed = request(new URL(asked.url ?? '/', target), { method: asked.method, headers }, (got) => {
      const { 'content-length': _whole, ...rest } = got.headers;
      if (!got.headers['content-type']?.startsWith('text/html')) {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
        return;
      }
      answer.writeHead(got.statusCode ?? 502, rest);
      sendInPieces(got).catch((error: unknown) => answer.destroy(error as Error));
    });
    const sendInPieces = async (document: NodeJS.ReadableStream): Promise<void> => {
      const pieces = (await text(document)).split(cut);
      for (const [index, piece] of pieces.entries()) {
        answer.write(piece);
        if (index < pieces.length - 1) await arrived(index + 1);
      }
      answer.end();
    };
    passed.on('error', (error) => answer.destroy(error));
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
