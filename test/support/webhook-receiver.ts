import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Receives webhooks. Answers each one with the next status in `answers`, and with 200 when the list is empty. */
export class WebhookReceiver<Received> {
  readonly received: Received[] = [];
  readonly answers: number[] = [];
  private readonly server: Server;

  constructor(
    private readonly path: string,
    read: (body: Buffer, headers: IncomingHttpHeaders) => Received,
  ) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = read(Buffer.concat(chunks), request.headers);
        response.writeHead(this.answers.shift() ?? 200).end();
        this.received.push(received);
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
