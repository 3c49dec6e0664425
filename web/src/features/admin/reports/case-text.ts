import {
  STRIKE_SUSPENSION_DAYS,
  STRIKES_TO_SUSPEND,
  UNDO_HOURS,
  type CaseDecision,
  type CaseKind,
  type CaseReason,
  type ModerationCase,
  type ModerationCaseRow,
} from '../../../../../src/contract/moderation.js';
import { counted, formatMoney } from '../../../lib/format.js';
import { REPORT_REASONS } from '../../../lib/report-reasons.js';
import { since } from '../../../components/work-area/since.js';

const OTHER_REASONS: readonly (readonly [CaseReason, string])[] = [
  ['creator_request', 'Asked for by the creator'],
  ['real_people', 'A real person'],
];

/** Every reason in words, for the filter. */
export const REASONS: readonly (readonly [CaseReason, string])[] = [...REPORT_REASONS, ...OTHER_REASONS];

export const KINDS: readonly (readonly [CaseKind, string])[] = [
  ['report', 'Reports'],
  ['take_down', 'Take-downs'],
  ['refusal', 'Refused prompts'],
];

export const DECISIONS: Readonly<Record<CaseDecision, string>> = {
  keep: 'Keep',
  hide: 'Hide',
  take_down: 'Take down',
};

/** The key of a case in lists and addresses. */
export const caseKey = ({ kind, id }: Pick<ModerationCaseRow, 'kind' | 'id'>): string => `${kind}-${id}`;

/** The case in one line: `Hate or harassment`, `Asked for by the creator: take-down`. */
export function caseTitle({ kind, reason }: Pick<ModerationCaseRow, 'kind' | 'reason'>): string {
  const words = REASONS.find(([value]) => value === reason)?.[1] ?? reason;
  if (kind === 'take_down') return `${words}: take-down`;
  return kind === 'refusal' ? `Refused prompt: ${words.toLowerCase()}` : words;
}

/** `Odile Marsh, 3 reports` */
export function caseDetail({ kind, creator_name, reports }: ModerationCaseRow): string {
  return kind === 'report' ? `${creator_name}, ${counted(reports, 'report')}` : creator_name;
}

/** `2 h`; for a take-down the time to its deadline: `46 h left`, `3 h overdue`. */
export function waits({ opened_at, due_at, overdue }: ModerationCaseRow, now: number): string {
  if (due_at === null) return since(opened_at, now);
  if (overdue) return `${since(due_at, now)} overdue`;
  return `${since(new Date(now).toISOString(), Date.parse(due_at))} left`;
}

/** A first text of the note that the owner reads: the rule that the image breaks. */
export function suggestedNote(reason: CaseReason): string {
  return NOTES[reason];
}

const NOTES: Readonly<Record<CaseReason, string>> = {
  sexual: 'Sexual content is not allowed (Community Guidelines).',
  minors: 'Minors must not be shown in a sexual or suggestive way (Community Guidelines).',
  real_person: 'Shows a real person without their consent (Community Guidelines).',
  real_people: 'Shows a real person without their consent (Community Guidelines).',
  hate: 'Hate and harassment are not allowed (Community Guidelines).',
  self_harm: 'Content about self-harm is not allowed (Community Guidelines).',
  rights: 'Uses someone’s work or name without permission (Community Guidelines).',
  creator_request: 'The creator does not want this image in their style.',
  other: 'Breaks the Community Guidelines.',
};

/** The choices of an admin about a case. */
export interface Choice {
  readonly decision: CaseDecision;
  readonly strike: boolean;
  readonly blockPrompt: boolean;
  readonly suspendDays: number | null;
  readonly goodwill: number;
}

/** One sentence about each decision, on its button. */
export function decisionHint(kind: CaseKind, decision: CaseDecision): string {
  if (decision === 'hide') return 'Only its owner sees it. Link and previews stop.';
  if (decision === 'take_down') return 'No one sees it. Its files are deleted after 24 hours.';
  if (kind === 'refusal') return 'The refusal stands. The case is closed.';
  return kind === 'take_down' ? 'The request is refused. The picture stays.' : 'Reports are closed. The picture stays.';
}

/** Everything that a decision will do, in sentences, before it is made. */
export function consequences(about: ModerationCase, choice: Choice): string[] {
  const { kind, maker, reports, creator_name: creator } = about;
  const { decision, strike, blockPrompt, suspendDays, goodwill } = choice;
  const takenDown = decision === 'take_down';
  const struck = takenDown && strike;
  const strikes = maker.strikes + 1;
  return [
    ...picture(about, decision),
    ...(kind === 'report' ? [`${counted(reports, 'report')} ${reports === 1 ? 'is' : 'are'} closed.`] : []),
    ...(decision === 'keep' ? [] : ['The owner reads the note.']),
    ...(struck ? [`The maker has ${strikes} of ${STRIKES_TO_SUSPEND} strikes.`] : []),
    ...(struck && strikes >= STRIKES_TO_SUSPEND
      ? [`The maker is suspended for ${STRIKE_SUSPENSION_DAYS} days, because of ${STRIKES_TO_SUSPEND} strikes.`]
      : []),
    ...(blockPrompt ? [`The same prompt is refused for ${creator} from now on.`] : []),
    ...(suspendDays === null ? [] : [`The maker cannot generate for ${counted(suspendDays, 'day')}.`]),
    ...(goodwill > 0 ? [`The maker gets ${counted(goodwill, 'bonus credit')}, with this case as the reason.`] : []),
    ...ledger(about),
  ];
}

function picture({ kind, files }: ModerationCase, decision: CaseDecision): string[] {
  if (kind === 'refusal') return ['Nothing was drawn; nothing changes for the fan.'];
  if (decision === 'hide') return ['The picture leaves galleries, links and previews. Its owner keeps it.'];
  if (decision === 'take_down') {
    return [`The picture is gone at once; its ${counted(files, 'file')} are deleted after ${UNDO_HOURS} hours.`];
  }
  return [kind === 'take_down' ? 'The picture is shown as before the request.' : 'The picture stays as it is.'];
}

function ledger({ paid_with }: ModerationCase): string[] {
  if (paid_with === null || paid_with.refunded) return [];
  const earned =
    paid_with.creator_cents > 0
      ? `the creator keeps ${formatMoney(paid_with.creator_cents)}`
      : 'nothing was earned by it';
  return [`The ledger is left alone: what was settled stays settled, ${earned}.`];
}

/** `10 credits, 6 of them bought; the creator earned $0.30` */
export function paidText({
  credits,
  paid_credits,
  creator_cents,
  refunded,
}: NonNullable<ModerationCase['paid_with']>): string {
  if (refunded) return `${counted(credits, 'credit')}, refunded`;
  if (paid_credits === 0) return `${counted(credits, 'free credit')}, earns nothing`;
  const bought = paid_credits === credits ? 'all bought' : `${paid_credits} of them bought`;
  return `${counted(credits, 'credit')}, ${bought}; the creator earned ${formatMoney(creator_cents)}`;
}

/** `2 pictures, no earlier report` */
export function makerText({ images, reported_before, refusals }: ModerationCase['maker']): string {
  return [
    counted(images, 'picture'),
    reported_before === 0 ? 'no earlier report' : `${reported_before} reported before`,
    ...(refusals > 0 ? [`${counted(refusals, 'refused prompt')} in 30 days`] : []),
  ].join(', ');
}

export const SHOWN: Readonly<Record<ModerationCase['shown'], string>> = {
  gallery: 'In the creator’s gallery and by link',
  link: 'By link only, not in a gallery',
  hidden: 'Hidden',
  nowhere: 'Nowhere',
};
