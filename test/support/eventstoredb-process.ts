import { type ChildScript, type ChildScripts, compileForChild } from './child-script.js';

/** Runs the EventStoreDB substitute as a separate process, on a file. */
export class EventStoreDbProcess {
  private running: ChildScript | null = null;

  private constructor(
    private readonly scripts: ChildScripts,
    private readonly file: string,
    private readonly port: number,
  ) {}

  static async start(file: string, port: number): Promise<EventStoreDbProcess> {
    const server = new EventStoreDbProcess(compileForChild('test/support'), file, port);
    await server.start();
    return server;
  }

  get url(): string {
    return `kurrentdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** Starts it again on the same file and port. */
  async start(): Promise<void> {
    const script = this.scripts.run(SCRIPT, this.file, String(this.port));
    this.running = script;
    await script.line();
  }

  /** Power cut. */
  async kill(): Promise<void> {
    this.running?.process.kill('SIGKILL');
    await this.running?.ended;
    this.running = null;
  }

  async remove(): Promise<void> {
    await this.kill();
    this.scripts.remove();
  }
}

const SCRIPT = `
import { EventStoreDbServer } from './test/support/eventstoredb-server.js';
const [file, port] = process.argv.slice(2);
const server = await EventStoreDbServer.start({ file, port: Number(port) });
console.log(server.url);
`;
