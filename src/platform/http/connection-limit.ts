import { type Server } from 'node:net';
import { networkOf } from './client-network.js';

/** Counts open connections by client network. */
export class ConnectionCounts {
  private readonly open = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Counts a new connection. Returns false, and does not count it, when the network has `max` open ones. */
  admit(network: string): boolean {
    const count = this.open.get(network) ?? 0;
    if (count >= this.max) return false;
    this.open.set(network, count + 1);
    return true;
  }

  /** Must be called once when an admitted connection closes. */
  release(network: string): void {
    const count = this.open.get(network) ?? 0;
    if (count > 1) this.open.set(network, count - 1);
    else this.open.delete(network);
  }
}

/** Closes new connections of a network that has `max` open ones. `onRefused` runs for each closed connection. */
export function limitConnections(server: Server, max: number, onRefused: () => void): void {
  const counts = new ConnectionCounts(max);
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    if (counts.admit(network)) {
      socket.once('close', () => counts.release(network));
      return;
    }
    onRefused();
    socket.destroy();
  });
}
