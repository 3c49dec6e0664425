import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a pool and the server, and fails as it is told. */
export class PostgresProxy {
  private readonly sockets = new Set<Socket>();
  private listener: Server | null = null;
  private port = 0;
  private unanswered: string | null = null;

  private constructor(private target: string) {}

  static async start(target: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(target);
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** The answer to the statement that holds this text is dropped, and its connection with it. */
  loseAnswerTo(text: string): void {
    this.unanswered = text;
  }

  /** Cuts all connections and refuses new ones until `listen`. */
  async fail(): Promise<void> {
    const { listener } = this;
    this.listener = null;
    const closed = listener ? once(listener, 'close') : null;
    listener?.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async listen(target = this.target): Promise<void> {
    this.target = target;
    const { hostname, port } = new URL(target);
    const listener = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on('close', () => this.sockets.delete(socket));
        // Broken on purpose.
        socket.on('error', () => socket.destroy());
      }
      let losing = false;
      client.on('data', (chunk) => {
        if (this.unanswered !== null && chunk.includes(this.unanswered)) {
          losing = true;
          this.unanswered = null;
        }
        upstream.write(chunk);
      });
      upstream.on('data', (chunk) => {
        if (losing) client.destroy();
        else client.write(chunk);
      });
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
    }).listen(this.port, '127.0.0.1');
    await once(listener, 'listening');
    this.listener = listener;
    this.port = (listener.address() as AddressInfo).port;
  }
}
