import type { ActKind, AdminAct } from '../../../../../src/contract/acts.js';

/** The act in words; `*` is its subject. */
const VERBS: Readonly<Record<ActKind, string>> = {
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
  'image.kept': 'kept an image',
  'image.hidden': 'hid an image',
  'image.taken_down': 'took down an image',
  'image.restored': 'restored an image',
  'refusal.reviewed': 'reviewed a refused prompt',
  'prompt.blocked': 'blocked a prompt',
  'prompt.unblocked': 'unblocked a prompt',
  'user.suspended': 'suspended *',
  'user.unsuspended': 'ended the suspension of *',
  'credits.proposed': 'proposed credits for *',
  'credits.declined': 'declined credits for *',
  'credits.granted': 'granted credits to *',
  'credits.adjusted': 'adjusted the credits of *',
  'purchase.refunded': 'refunded a purchase',
  'payment_problem.resolved': 'resolved a payment problem',
  'payment_problem.dismissed': 'dismissed a payment problem',
  'clock.repaired': 'repaired the clock of *',
  'payout.drafted': 'drafted a payout run',
  'payout.fixed': 'fixed a payout run',
  'payout.checked': 'checked a payout run',
  'payout.run_cancelled': 'cancelled a payout run',
  'payout.file_made': 'made a file of payouts for the bank',
  'payout.file_downloaded': 'downloaded a file of payouts for the bank',
  'payout.file_taken_back': 'took back a file of payouts for the bank',
  'payout.recorded': 'recorded transfers to creators',
  'payout.cancelled': 'cancelled a payout',
  'payout.failed': 'recorded a failed payout',
  'payout.held': 'held the payouts of *',
  'payout.released': 'released the payouts of *',
  'books.month_closed': 'closed * of the books',
  'log.opened': 'opened the log',
  'log.exported': 'exported the log',
};

type ActInWords = Pick<
  AdminAct,
  'kind' | 'actor_name' | 'actor_role' | 'actor_id' | 'subject_name' | 'subject_id' | 'creator_name'
>;

/** `Rui Okafor approved Haruto Vale` */
export function actText(act: ActInWords): string {
  const { kind, actor_name, actor_role, actor_id, subject_name, subject_id, creator_name } = act;
  const actor = actor_role === 'system' ? 'The product' : (actor_name ?? shortId(actor_id));
  // A gallery is known by its creator, and so is an image that was added to it.
  const subject = (kind.startsWith('gallery.') ? creator_name : null) ?? subject_name ?? shortId(subject_id);
  return `${actor} ${VERBS[kind].replace('*', () => subject)}`;
}

/** `user_31mT…q90`: an id shortened in the middle. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 10)}…${id.slice(-4)}`;
}
