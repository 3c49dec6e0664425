import { OperatorMistake } from '../operator-mistake.js';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Another program listens on the configured port. */
class PortTakenError extends OperatorMistake {
  constructor(port: number) {
    super(`Port ${port} is in use: stop the program that uses it, or set PORT to another one.`);
  }
}

/**
 * Checks that the address is free, before anything is started.
 * @throws PortTakenError
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw new PortTakenError(port);
    throw error;
  }
  probe.close();
  await once(probe, 'close');
}
