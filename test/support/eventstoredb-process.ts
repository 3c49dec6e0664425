import { type ChildScript, runScript } from './child-script.js';

/** Runs the EventStoreDB substitute as a separate process, on a file. */
export class EventStoreDbProcess {
  private running: ChildScript | null = null;

  private constructor(
    private readonly file: string,
    private readonly port: number,
  ) {}

  static async start(file: string, port: number): Promise<EventStoreDbProcess> {
    const server = new EventStoreDbProcess(file, port);
    await server.start();
    return server;
  }

  get url(): string {
    return `kurrentdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** Starts it again on the same file and port. */
  async start(): Promise<void> {
    const script = runScript(SCRIPT, this.file, String(this.port));
    this.running = script;
    await script.line();
  }

  /** Power cut. */
  async kill(): Promise<void> {
    this.running?.process.kill('SIGKILL');
    await this.running?.ended;
    this.running = null;
  }
}

const SCRIPT = `
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
const [file, port] = process.argv.slice(2);
const server = await EventStoreDbServer.start({ file, port: Number(port) });
console.log(server.url);
`;
