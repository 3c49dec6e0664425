import type { AdminAct } from '../../src/contract/acts.js';
import type { AdminGeneration } from '../../src/contract/admin-gallery.js';
import type { AdminCreatorRow } from '../../src/contract/applications.js';
import type { AccountClosing } from '../../src/contract/closing.js';
import type { ConsentRecord, OwnCreator } from '../../src/contract/creators.js';
import type { CreditBreakdown, CreditTransaction } from '../../src/contract/credits.js';
import type { GalleryItem, OwnStyleImage, PublicCreator } from '../../src/contract/gallery.js';
import type { GenerationView } from '../../src/contract/generation.js';
import type { CheckoutSession, Purchase } from '../../src/contract/payments.js';
import type { CreatorAnalytics, CreatorEarning, CreatorMonth } from '../../src/contract/revenue.js';

/** The fan of the tests. Its type is that of a file with JSX, which the specs in test/ cannot read. */
export const FAN = {
  id: 'user_1',
  fullName: 'Ada Fan',
  firstName: 'Ada',
  lastName: 'Fan',
  imageUrl: null,
  email: 'ada@fanvas.example',
  createdAt: new Date('2026-01-05T10:00:00Z'),
  metadata: {},
};

/** A generation that has just been started. */
export function generation(fields: Partial<GenerationView> = {}): GenerationView {
  return {
    id: 'g1',
    prediction_id: null,
    status: 'pending',
    prompt: 'A fox on the last train',
    aspect_ratio: 'square',
    image_url: null,
    image: null,
    creator_id: 'c1',
    creator_username: 'junoabara',
    creator_name: 'Juno Abara',
    creator_is_visible: true,
    creator_status: 'active',
    created_at: '2026-11-20T21:04:00.000Z',
    updated_at: '2026-11-20T21:04:00.000Z',
    error_message: null,
    refunded: false,
    credits_closed: false,
    refund_reason: null,
    refunded_at: null,
    credit_cost: 10,
    is_owner: true,
    hidden: false,
    moderation: null,
    cancelled: false,
    cancellable_at: null,
    phase: 'queued',
    drawing_at: null,
    finishing_at: null,
    completed_at: null,
    ...fields,
  };
}

/** A picture as a row carries it. */
export const PICTURE = { url: '/media/g1.webp', width: 1024, height: 1024, thumbhash: '', sources: [] };

/** An active creator. */
export const CREATOR: PublicCreator = {
  id: 'c1',
  name: 'Juno Abara',
  username: 'junoabara',
  bio: 'Harbours at night.',
  profile_image: null,
  profile: null,
  instagram: null,
  twitter: null,
  onlyfans: null,
  is_visible: true,
  is_featured: true,
  creator_status: 'active',
  created_at: '2026-03-01T10:00:00.000Z',
  style: null,
  works: [],
  paused: false,
  withdrawn: false,
  can_generate: true,
  credit_cost: 10,
};

/** That creator's own record. */
export const OWN_CREATOR: OwnCreator = {
  id: CREATOR.id,
  name: CREATOR.name,
  username: CREATOR.username,
  bio: CREATOR.bio,
  profile_image: null,
  instagram: '@junoabara',
  twitter: null,
  onlyfans: null,
  email: 'juno@fanvas.example',
  creator_status: 'active',
  is_visible: true,
  is_featured: true,
  deployment_name: 'fanvas/juno-abara-geometric-v2',
  lora_id: null,
  created_at: CREATOR.created_at,
  clerk_id: 'user_1',
  paused_at: null,
  withdrawn_at: null,
  rejection_reason: null,
  applied_at: CREATOR.created_at,
  decided_at: null,
  reapply_at: null,
};

/** That creator in the list of the admins, with nine pictures in the gallery. */
export const ADMIN_CREATOR: AdminCreatorRow = {
  ...OWN_CREATOR,
  profile: null,
  gallery_size: 9,
  works: [],
  total_count: 1,
};

/** The only picture of that creator's gallery. */
export const GALLERY_ITEM: GalleryItem = {
  id: 'g9',
  status: 'completed',
  prompt: 'A lighthouse in fog',
  image_url: PICTURE.url,
  image: PICTURE,
  creator_id: CREATOR.id,
  created_at: '2026-11-01T10:00:00.000Z',
  total_count: 1,
};

/** A finished picture of that creator, as the editor of the gallery lists it. */
export function adminGeneration(fields: Partial<AdminGeneration> = {}): AdminGeneration {
  return {
    id: 'g1',
    prompt: 'A fox',
    image_url: PICTURE.url,
    image: PICTURE,
    status: 'completed',
    created_at: '2026-11-17T21:14:08.000Z',
    updated_at: null,
    credit_cost: 10,
    refunded: false,
    refund_reason: null,
    refunded_at: null,
    error_message: null,
    creator_id: CREATOR.id,
    user_id: 'user_9',
    in_gallery: false,
    not_addable: null,
    ...fields,
  };
}

/** A picture of a fan in the style of that creator, as the creator sees it. */
export function ownStyleImage(fields: Partial<OwnStyleImage> = {}): OwnStyleImage {
  return {
    generation_id: 'g1',
    prompt: 'a brass band in the rain',
    image: PICTURE,
    created_at: '2026-11-22T09:12:00.000Z',
    in_gallery: true,
    hidden_by_creator_at: null,
    take_down: null,
    total_count: 1,
    ...fields,
  };
}

/** The acceptance of the terms by that creator. */
export const ACCEPTED: ConsentRecord = {
  id: 'a1',
  kind: 'accepted',
  at: '2026-01-28T14:06:31.000Z',
  terms_version: 'v1.0',
  terms_sha256: 'ab'.repeat(32),
  terms_url: 'https://fanvas.example/creator-terms',
  method_of_acceptance: 'creator_application_form',
  accepted_text_snapshot: 'I have read and accept the Creator Terms of Use v1.0.',
  user_agent: 'Firefox',
  email: OWN_CREATOR.email,
};

/** The credits of a new fan. */
export const BREAKDOWN: CreditBreakdown = {
  success: true,
  daily_credits: 10,
  bonus_credits: 30,
  paid_credits: 0,
  total_balance: 40,
  free_credits: 40,
  daily_credits_last_granted: null,
  debt: 0,
  lifetime_earned: 40,
  lifetime_spent: 0,
  sign_up_bonus: 'granted',
};

/** The credits that a generation took. */
export function creditTransaction(fields: Partial<CreditTransaction> = {}): CreditTransaction {
  return {
    id: 't1',
    created_at: '2026-11-20T21:04:00.000Z',
    description: 'Image generation',
    transaction_type: 'deduction',
    amount: -10,
    balance_after: 20,
    reference_id: 'g1',
    metadata: { creator_id: 'c1' },
    ...fields,
  };
}

/** A checkout that was paid and credited. */
export const PAID_SESSION: CheckoutSession = {
  id: 'cs_test_1',
  is_paid: true,
  is_complete: true,
  payment_status: 'paid',
  status: 'complete',
  amount_total: 2500,
  currency: 'usd',
  metadata: { bundleId: 'popular', bundleCredits: '250' },
  credited: true,
};

/** A purchase of 100 credits. */
export const PURCHASE: Purchase = {
  id: 'cs_1',
  purchased_at: '2026-11-20T10:00:00.000Z',
  bundle_id: 'b1',
  bundle_name: 'Small',
  credits: 100,
  amount_cents: 1000,
  currency: 'usd',
  refunded_cents: 0,
  status: 'paid',
  receipt_url: null,
};

/** An account without credits, pictures and a creator: nothing is lost with it. */
export const EMPTY_ACCOUNT: AccountClosing = {
  paid_credits: 0,
  paid_cents: 0,
  purchases: [],
  free_credits: 0,
  pending_images: 0,
  creator: null,
  confirmation: 'CLOSE',
  closure: null,
};

/** An admin has granted credits to a fan. */
export const GRANT: AdminAct = {
  id: 'act-51',
  number: 51,
  at: '2026-11-22T08:06:40.000Z',
  kind: 'credits.granted',
  state: 'done',
  actor_id: 'admin_1',
  actor_name: 'Sol Brandt',
  proposer_name: null,
  actor_role: 'admin',
  subject_kind: 'user',
  subject_id: 'user_31kQvT8pLw0ZsN',
  subject_name: null,
  creator_name: null,
  run_number: null,
  user_id: 'user_31kQvT8pLw0ZsN',
  user_name: 'Ines Falk',
  creator_id: null,
  before: { balance: 80, bonus: 0 },
  after: { balance: 90, bonus: 10 },
  reason: 'Image of 19 Nov timed out',
  address: '198.51.100.24',
  request_id: 'req_5d20c1',
  events: [{ stream: 'creditAccount-user_31kQvT8pLw0ZsN', version: 34, id: 'e1' }],
  undone_by: null,
  hash: 'ab'.repeat(32),
  sealed: true,
  total_count: 51,
};

/** A picture that a fan has paid for earns. */
export const EARNING: CreatorEarning = {
  id: 'e1',
  kind: 'earning',
  generation_id: 'g1',
  prompt: 'ocean radio, late',
  image: null,
  paid: [{ credits: 10, unit_price_cents: 10, cents: 100, creator_cents: 50, bought_at: '2026-11-18T19:30:00.000Z' }],
  free_credits: 0,
  creator_cents: 50,
  occurred_at: '2026-11-21T21:56:00.000Z',
  ordered_at: '2026-11-21T21:55:00.000Z',
  payable_at: '2026-12-21T21:56:00.000Z',
  cause: null,
  total_count: 8,
};

/** A month of that creator. */
export function creatorMonth(month: string, name: string, figures: Partial<CreatorMonth> = {}): CreatorMonth {
  return {
    month,
    month_name: name,
    creator_earnings: 243,
    paid_generations: 486,
    free_generations: 530,
    corrections: 0,
    restorations: 0,
    ...figures,
  };
}

/** All figures of that creator in November. */
export const ANALYTICS: CreatorAnalytics = {
  revenue: {
    all_time_earnings: 1633,
    earned_cents: 163_300,
    this_month_earnings: 106,
    pending_cents: 17_650,
    payable_cents: 16_050,
    under_way_cents: 0,
    paid_cents: 129_600,
    debt_cents: 0,
    payable_by_next_month_cents: 7_550,
    payout_minimum_cents: 2_500,
    held_until: null,
    paid_until: null,
    under_way_until: null,
  },
  stats: { paid_generations: 3266, total_generations: 7244, unique_users: 1129, free_generations: 3978 },
  this_month: creatorMonth('2026-11', 'November 2026', { creator_earnings: 106, paid_generations: 212 }),
};
