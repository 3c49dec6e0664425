import 'reflect-metadata';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { AccountVerifier } from './account-verifier.js';
import { type RepairedClock } from './event-times.js';
import { checksOfPart, partOf } from './ledger-checks.js';
import { ProblemReports } from './problem-reports.js';
import { type ThreadMessage, type ThreadStart, type ThreadTask } from './thread-messages.js';
import { openThreadSources } from './thread-sources.js';

/** Each of the groups of accounts in progress reads three tables at once. */
const MAX_CONNECTIONS = 6;

/**
 * A thread of `verifyLedger`: verifies the accounts that the main thread sends, with its own connections. An uncaught
 * error ends it and reaches the main thread, so it catches none.
 */
async function serve(port: MessagePort, { address, scope, clockOffsetMs }: ThreadStart): Promise<void> {
  const send = (message: ThreadMessage): void => port.postMessage(message);
  const now = (): Date => new Date(Date.now() + clockOffsetMs);
  const { close, ...sources } = await openThreadSources(address, MAX_CONNECTIONS);
  const checks = checksOfPart(sources, now, scope);
  const reports = new ProblemReports((problem) => send({ type: 'problem', problem }));
  const onRepair = (repair: RepairedClock): void => send({ type: 'repair', repair });
  const verifier = new AccountVerifier(sources, checks, reports, { now, onRepair });

  const work = async (id: number, task: ThreadTask): Promise<void> => {
    if (task.type === 'verify') await verifier.verify(task.accounts);
    if (task.type === 'end') await close();
    const part = task.type === 'end' ? { part: partOf(checks) } : {};
    send({ type: 'answer', id, answer: { counts: verifier.counts, problems: reports.counts, ...part } });
  };
  port.on('message', ({ id, task }: { readonly id: number; readonly task: ThreadTask }) => void work(id, task));
}

if (parentPort) await serve(parentPort, workerData as ThreadStart);
