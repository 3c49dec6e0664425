import { mentionsOf } from '../../audit/index.js';
import { type StoredEvent } from '../../platform/event-store/event-store.js';
import { count, note, progress, say } from '../output.js';
import { type AddVerb, type VerbContext } from '../program.js';
import { JSON_OPTION, nonEmpty } from './arguments.js';
import { openLedger } from './ledger-sources.js';

/** `find`: searches all events for an id. */
export const addFind: AddVerb = (program, run) => {
  program
    .command('find')
    .argument(
      '<id>',
      'the id of an event, actor, correlation, checkout session or other lot, generation, refund, dispute or adjustment',
      nonEmpty,
    )
    .description('lists the events that mention an id, in the order in which they were stored')
    .addOption(JSON_OPTION)
    .action((id: string, { json }: { json: boolean }) => run((context) => find(id, json, context)));
};

async function find(id: string, asJson: boolean, { config }: VerbContext): Promise<boolean> {
  const sources = await openLedger(config, { noStatementTimeout: true });
  const showProgress = progress(({ read }: { read: number }) => `Read ${count(read)} events.`);
  let found = 0;
  let read = 0;
  for await (const page of mentionsOf(sources, id)) {
    for (const event of page.events) say(asJson ? JSON.stringify({ event }) : formatEvent(event));
    found += page.events.length;
    read += page.read;
    showProgress({ read });
  }
  note(found === 1 ? '1 event found.' : `${count(found)} events found.`);
  return true;
}

function formatEvent({ stream, version, type, id, data, metadata }: StoredEvent): string {
  const { occurredAt } = metadata;
  return `${stream} @ ${version}: ${type} at ${typeof occurredAt === 'string' ? occurredAt : 'no time'}, event ${id}\n  ${JSON.stringify({ data, metadata })}`;
}
