import type { AdminQueue, QueueKind } from '../../../../../src/contract/admin.js';
import { formatCount } from '../../../components/work-area/page-count.js';
import { formatUtcDay } from '../../../components/work-area/utc.js';

/** A queue in words. */
export interface QueueText {
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  /** The label of its button. */
  readonly action: string;
}

interface Words {
  readonly page: string;
  readonly to: string;
  readonly action: string;
  readonly title: (queue: AdminQueue) => string;
}

/** `Nadia Voss, Emeka Rowe and 2 more`; the count with `noun` when no name is known. */
function whose({ names, count }: AdminQueue, noun: string): string {
  if (names.length === 0) return `${formatCount(count)} ${noun}`;
  const more = count - names.length;
  if (more > 0) return `${names.join(', ')} and ${formatCount(more)} more`;
  return names.join(' and ');
}

function counted({ count }: AdminQueue, one: string, many: string): string {
  return count === 1 ? one : `${formatCount(count)} ${many}`;
}

const WORDS: Readonly<Record<QueueKind, Words>> = {
  urgent_reports: {
    page: 'Reports',
    to: '/admin/reports',
    action: 'Review',
    title: (queue) => counted(queue, 'A report of sexual content or a minor', 'reports of sexual content or minors'),
  },
  reports: {
    page: 'Reports',
    to: '/admin/reports?kind=report',
    action: 'Open queue',
    title: (queue) => counted(queue, 'One report', 'reports'),
  },
  take_downs: {
    page: 'Take-downs',
    to: '/admin/reports?kind=take_down',
    action: 'Review',
    title: (queue) => `${whose(queue, 'creators')} ${queue.count === 1 ? 'asks' : 'ask'} for a take-down`,
  },
  refused_prompts: {
    page: 'Reports',
    to: '/admin/reports?kind=refusal',
    action: 'Open queue',
    title: (queue) => counted(queue, 'A refused prompt', 'refused prompts'),
  },
  applications: {
    page: 'Applications',
    to: '/admin/applications',
    action: 'Open queue',
    title: (queue) => whose(queue, 'applicants'),
  },
  without_model: {
    page: 'Applications',
    to: '/admin/applications?tab=waiting_for_model',
    action: 'Assign model',
    title: (queue) => `${whose(queue, 'creators')} ${queue.count === 1 ? 'has' : 'have'} no model`,
  },
  model_deletions: {
    page: 'Models',
    to: '/admin/model-deletions',
    action: 'Open queue',
    title: (queue) => `The model of ${whose(queue, 'creators')} must be deleted at the provider`,
  },
  credit_proposals: {
    page: 'Users',
    to: '/admin/users?tab=proposals',
    action: 'Review',
    title: (queue) =>
      counted(
        queue,
        'A grant or adjustment waits for a second admin',
        'grants and adjustments wait for a second admin',
      ),
  },
  payment_problems: {
    page: 'Users',
    to: '/admin/users?tab=payments',
    action: 'See',
    title: (queue) => counted(queue, 'A payment problem', 'payment problems'),
  },
  stuck_checkouts: {
    page: 'Users',
    to: '/admin/users?tab=payments',
    action: 'See',
    title: (queue) => counted(queue, 'A checkout is stuck', 'checkouts are stuck'),
  },
  ledger_problems: {
    page: 'Health',
    to: '/admin#health',
    action: 'See',
    title: (queue) => counted(queue, 'A problem of the ledger', 'problems of the ledger'),
  },
};

/** A row of 'Needs a person' in words. */
export function queueText(queue: AdminQueue): QueueText {
  const { page, to, action, title } = WORDS[queue.kind];
  const facts = [
    ...(queue.overdue > 0 ? [`${formatCount(queue.overdue)} overdue`] : []),
    ...(queue.oldest_at === null
      ? []
      : [`${queue.count === 1 ? '' : 'oldest '}since ${formatUtcDay(queue.oldest_at)}`]),
  ];
  return { title: title(queue), detail: [page, facts.join(', ')].filter(Boolean).join(': '), to, action };
}
