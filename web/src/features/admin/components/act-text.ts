import type { ActKind, AdminAct } from '../../../../../src/contract/acts.js';
import { monthText } from '../../../lib/months.js';

/** Each act as a verb and its object, and as a sentence in which `*` is its subject. */
export const ACTS: Readonly<Record<ActKind, readonly [verb: string, object: string, sentence: string]>> = {
  'consent.recorded': ['Recorded', 'consent', 'recorded the consent of *'],
  'application.approved': ['Approved', 'application', 'approved *'],
  'application.rejected': ['Rejected', 'application', 'rejected *'],
  'application.asked': ['Asked', 'applicant', 'asked * for more'],
  'model.trial_drawn': ['Drew', 'trial picture', 'drew a trial picture for *'],
  'model.assigned': ['Assigned', 'model', 'assigned a model to *'],
  'model.deleted': ['Recorded', 'deleted model', 'recorded that the model of * is deleted'],
  'creator.archived': ['Archived', 'creator', 'archived *'],
  'creator.unarchived': ['Unarchived', 'creator', 'unarchived *'],
  'creator.featured': ['Featured', 'creator', 'featured *'],
  'creator.unfeatured': ['Unfeatured', 'creator', 'stopped featuring *'],
  'creator.viewed': ['Viewed', 'creator dashboard', 'viewed the dashboard of *'],
  'gallery.saved': ['Saved', 'gallery', 'saved the gallery of *'],
  'gallery.added': ['Added', 'to gallery', 'added to the gallery of *'],
  'gallery.removed': ['Removed', 'from gallery', 'removed from the gallery of *'],
  'gallery.reordered': ['Reordered', 'gallery', 'reordered the gallery of *'],
  'gallery.changed': ['Took note of', 'gallery', 'took note of the gallery of *'],
  'image.kept': ['Kept', 'picture', 'kept an image'],
  'image.hidden': ['Hid', 'picture', 'hid an image'],
  'image.taken_down': ['Took down', 'picture', 'took down an image'],
  'image.restored': ['Restored', 'picture', 'restored an image'],
  'refusal.reviewed': ['Reviewed', 'refused prompt', 'reviewed a refused prompt'],
  'prompt.blocked': ['Blocked', 'prompt', 'blocked a prompt'],
  'prompt.unblocked': ['Unblocked', 'prompt', 'unblocked a prompt'],
  'user.suspended': ['Suspended', 'user', 'suspended *'],
  'user.unsuspended': ['Unsuspended', 'user', 'ended the suspension of *'],
  'credits.proposed': ['Proposed', 'credits', 'made *'],
  'credits.declined': ['Declined', 'credits', 'declined *'],
  'credits.granted': ['Granted', 'credits', 'granted credits to *'],
  'credits.adjusted': ['Adjusted', 'credits', 'adjusted the credits of *'],
  'purchase.refunded': ['Refunded', 'purchase', 'refunded *'],
  'payment_problem.resolved': ['Resolved', 'payment problem', 'resolved a payment problem'],
  'payment_problem.dismissed': ['Dismissed', 'payment problem', 'dismissed a payment problem'],
  'clock.repaired': ['Repaired', 'account clock', 'repaired the clock of *'],
  'payout.drafted': ['Drafted', 'payout run', 'drafted *'],
  'payout.fixed': ['Fixed', 'payout run', 'fixed the amounts of *'],
  'payout.checked': ['Checked', 'payout run', 'checked *'],
  'payout.run_cancelled': ['Cancelled', 'payout run', 'cancelled *'],
  'payout.file_made': ['Made', 'file for the bank', 'made a file for the bank of *'],
  'payout.file_downloaded': ['Downloaded', 'file for the bank', 'downloaded a file for the bank of *'],
  'payout.file_taken_back': ['Took back', 'file for the bank', 'took back a file for the bank of *'],
  'payout.recorded': ['Recorded', 'transfers', 'recorded transfers to creators'],
  'payout.cancelled': ['Cancelled', 'payout', 'cancelled *'],
  'payout.failed': ['Recorded as failed', 'payout', 'recorded as failed: *'],
  'payout.held': ['Held', 'payouts', 'held the payouts of *'],
  'payout.released': ['Released', 'payouts', 'released the payouts of *'],
  'payout_details.saved': ['Took note of', 'payout details', 'took note of the payout details of *'],
  'books.month_closed': ['Closed', 'month of the books', 'closed * of the books'],
  'ledger.verified': ['Verified', 'ledger', 'verified the ledger'],
  'log.opened': ['Opened', 'log', 'opened the log'],
  'log.exported': ['Exported', 'log', 'exported the log'],
};

/** `Rui Okafor approved Haruto Vale` */
export function actText(act: AdminAct): string {
  const { kind, actor_name, actor_role, actor_id } = act;
  const [, , sentence] = ACTS[kind];
  const actor = actor_role === 'system' ? 'The product' : (actor_name ?? shortId(actor_id));
  return `${actor} ${sentence.replace('*', () => subjectText(act))}`;
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
      return monthText.long(id);
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

/** `user_31mT…q90`: an id shortened in the middle. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 10)}…${id.slice(-4)}`;
}
