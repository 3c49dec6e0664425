import type { ActKind, AdminAct } from '../../../../../src/contract/acts.js';
import { dateFormat } from '../../../lib/format.js';

/** The act in words; `*` is its subject. */
const VERBS: Readonly<Record<ActKind, string>> = {
  'consent.recorded': 'recorded the consent of *',
  'application.approved': 'approved *',
  'application.rejected': 'rejected *',
  'application.asked': 'asked * for more',
  'model.trial_drawn': 'drew a trial picture for *',
  'model.assigned': 'assigned a model to *',
  'model.deleted': 'recorded that the model of * is deleted',
  'creator.archived': 'archived *',
  'creator.unarchived': 'unarchived *',
  'creator.featured': 'featured *',
  'creator.unfeatured': 'stopped featuring *',
  'creator.viewed': 'viewed the dashboard of *',
  'gallery.saved': 'saved the gallery of *',
  'gallery.added': 'added to the gallery of *',
  'gallery.removed': 'removed from the gallery of *',
  'gallery.reordered': 'reordered the gallery of *',
  'gallery.changed': 'took note of the gallery of *',
  'image.kept': 'kept an image',
  'image.hidden': 'hid an image',
  'image.taken_down': 'took down an image',
  'image.restored': 'restored an image',
  'refusal.reviewed': 'reviewed a refused prompt',
  'prompt.blocked': 'blocked a prompt',
  'prompt.unblocked': 'unblocked a prompt',
  'user.suspended': 'suspended *',
  'user.unsuspended': 'ended the suspension of *',
  'credits.proposed': 'made *',
  'credits.declined': 'declined *',
  'credits.granted': 'granted credits to *',
  'credits.adjusted': 'adjusted the credits of *',
  'purchase.refunded': 'refunded *',
  'payment_problem.resolved': 'resolved a payment problem',
  'payment_problem.dismissed': 'dismissed a payment problem',
  'clock.repaired': 'repaired the clock of *',
  'payout.drafted': 'drafted *',
  'payout.fixed': 'fixed the amounts of *',
  'payout.checked': 'checked *',
  'payout.run_cancelled': 'cancelled *',
  'payout.file_made': 'made a file for the bank of *',
  'payout.file_downloaded': 'downloaded a file for the bank of *',
  'payout.file_taken_back': 'took back a file for the bank of *',
  'payout.recorded': 'recorded transfers to creators',
  'payout.cancelled': 'cancelled *',
  'payout.failed': 'recorded as failed: *',
  'payout.held': 'held the payouts of *',
  'payout.released': 'released the payouts of *',
  'payout_details.saved': 'took note of the payout details of *',
  'books.month_closed': 'closed * of the books',
  'ledger.verified': 'verified the ledger',
  'log.opened': 'opened the log',
  'log.exported': 'exported the log',
};

/** `Rui Okafor approved Haruto Vale` */
export function actText(act: AdminAct): string {
  const { kind, actor_name, actor_role, actor_id } = act;
  const actor = actor_role === 'system' ? 'The product' : (actor_name ?? shortId(actor_id));
  return `${actor} ${VERBS[kind].replace('*', () => subjectText(act))}`;
}

/** The names and ids that the texts of an act may contain. */
export function namesIn(act: AdminAct): readonly string[] {
  const { actor_id, actor_role, subject_id, subject_kind, proposer_name, user_id, creator_id } = act;
  const ids = [actor_role === 'system' ? null : actor_id, user_id, creator_id, act.after['proposed_by']];
  const named = subject_kind === 'log' || subject_kind === 'book_month' ? [] : [subject_id, act.subject_name];
  const all = [...named, ...ids, act.actor_name, act.user_name, act.creator_name, proposer_name];
  return all.flatMap((each) => (typeof each === 'string' ? [each, shortId(each)] : []));
}

/** The subject as people call it: `Run 9`, `October 2026`, `Proposal for Ines Falk`, a name; else its shortened id. */
export function subjectText(act: AdminAct): string {
  const { subject_kind: kind, subject_id: id, subject_name: name, creator_name: creator, user_name: user } = act;
  const { run_number: run } = act;
  // A gallery is known by its creator, and so is an image that was added to it.
  if (act.kind.startsWith('gallery.')) return creator ?? name ?? shortId(id);
  if (name !== null) return name;
  switch (kind) {
    case 'log':
      return 'The log';
    case 'payout_run':
      return run === null ? `Run ${shortId(id)}` : `Run ${run}`;
    case 'payout':
      return `Payout of ${creator ?? shortId(id)}${run === null ? '' : `, run ${run}`}`;
    case 'bank_report':
      return `Report of the bank ${id.slice(0, 8)}`;
    case 'book_month':
      return monthName(id);
    case 'verification':
      return `Verification ${id}`;
    case 'proposal':
      return `Proposal for ${user ?? shortId(id)}`;
    case 'purchase':
      return `Purchase of ${user ?? shortId(id)}`;
    case 'user':
      return user ?? shortId(id);
    case 'creator':
      return creator ?? shortId(id);
    default:
      return shortId(id);
  }
}

const MONTH = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `October 2026` of `2026-10`. */
export function monthName(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00.000Z`));
}

/** `user_31mT…q90`: an id shortened in the middle. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 10)}…${id.slice(-4)}`;
}
