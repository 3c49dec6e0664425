import { Random } from '../../art/random.js';
import { DAY_MS, HOUR_MS } from '../../../contract/durations.js';
import { DEMO_FAN } from './past-fans.js';

/** Size of the demo's past. */
export interface PastSize {
  readonly months: number;
  /** Images of fans and creators together. */
  readonly images: number;
  readonly creators: number;
  /** Different pictures of each creator. The creator draws them, and the images of fans share them. */
  readonly pictures: number;
  readonly fans: number;
}

export interface PlannedImage {
  readonly picture: number;
  readonly end: 'completed' | 'failed' | 'cancelled';
}

/** A fan visits a creator's page. A fan with a bundle buys when the credits are spent; others leave. */
export interface Visit {
  readonly kind: 'visit';
  readonly at: number;
  readonly fan: number;
  readonly creator: number;
  readonly bundle: string | null;
  readonly images: readonly PlannedImage[];
}

/** Finance drafts and fixes a payout run, an admin checks it and sends the file, or records the bank's report. */
export interface PayoutStep {
  readonly kind: 'payouts';
  readonly at: number;
  readonly run: number;
  readonly stage: 'prepare' | 'send' | 'record';
}

/** Something that happens in the past. `at` is in epoch milliseconds, and the steps are sorted by it. */
export type PastStep =
  | Visit
  /** A creator is approved, draws the first pictures and opens the gallery. */
  | { readonly kind: 'join'; readonly at: number; readonly creator: number; readonly pictures: readonly number[] }
  /** A creator draws one more picture for the gallery. */
  | { readonly kind: 'draw'; readonly at: number; readonly creator: number; readonly pictures: readonly number[] }
  /** A fan's bank disputes the fan's last purchase, and decides. */
  | { readonly kind: 'dispute'; readonly at: number; readonly fan: number }
  | { readonly kind: 'decision'; readonly at: number; readonly fan: number; readonly outcome: 'won' | 'lost' }
  | PayoutStep
  /** An admin refunds the unspent credits of a fan's last purchase. */
  | { readonly kind: 'refund'; readonly at: number; readonly fan: number }
  /** An admin takes back credits that a fan should not have. */
  | { readonly kind: 'correction'; readonly at: number; readonly fan: number };

/** Average length of a month. */
const MONTH_MS = (365.25 / 12) * DAY_MS;
/** The steps end this long before now: a visit takes less. */
const MARGIN_MS = 2 * HOUR_MS;
const RANDOM_SEED = 20_260_101;

/** The creator whose dashboard shows the correction of a lost dispute, and the return of a won one. */
const FIRST_CREATOR = 0;
/** The stories happen once for this many fans, each with fans of its own, after the demo fan. */
const FANS_OF_A_STORY = 40;
const STORY_FANS = 3;
/** Two stories are this far apart, as a share of the whole time. */
const NEXT_STORY = 0.0007;
/** Visits that are tried for each image of a month. */
const VISITS_PER_IMAGE = 20;
/** Images of such a visit: more than the free credits pay for. */
const STORY_IMAGES = 8;
/** Pictures in a gallery when it opens. */
const FIRST_PICTURES = 3;
/** Shares of the whole time after which all creators have joined, all pictures are drawn, and all fans have joined. */
const CREATORS_JOINED = 0.45;
const PICTURES_DRAWN = 0.9;
const FANS_JOINED = 0.9;
/** The demo fan has a short past. */
const DEMO_FAN_JOINED = 0.65;
const FAILED_SHARE = 0.04;
const CANCELLED_SHARE = 0.015;

/** Shares of the whole time at which payout runs begin. The last one waits for its check. */
const PAYOUT_RUNS = [0.55, 0.8, 0.97];
/** Time from a run to its check, and from there to the report of the bank. */
const CHECKED_AFTER_MS = 5 * HOUR_MS;
const REPORTED_AFTER_MS = 2 * DAY_MS;

/** Images that a step makes. */
export function imagesOf(step: PastStep): number {
  if (step.kind === 'visit') return step.images.length;
  return step.kind === 'join' || step.kind === 'draw' ? step.pictures.length : 0;
}

/** Plans the past that ends now. The same size gives the same plan, moved in time. */
export function planPast(size: PastSize, now: Date): PastStep[] {
  return new Plan(size, now.getTime()).make();
}

class Plan {
  private readonly random = new Random(RANDOM_SEED);
  private readonly end: number;
  private readonly start: number;
  /** Days with a visit, by fan. */
  private readonly days = new Set<string>();

  constructor(
    private readonly size: PastSize,
    now: number,
  ) {
    this.end = now - MARGIN_MS;
    this.start = now - size.months * MONTH_MS;
  }

  make(): PastStep[] {
    const { creators, pictures, images } = this.size;
    const joins = Array.from({ length: creators }, (_, creator) => this.galleryOf(creator)).flat();
    const stories = this.stories();
    const inStories = stories.reduce((sum, step) => sum + (step.kind === 'visit' ? step.images.length : 0), 0);
    const visits = this.visits(Math.max(0, images - creators * pictures - inStories));
    return [...joins, ...stories, ...this.payouts(), ...visits].sort((a, b) => a.at - b.at);
  }

  private galleryOf(creator: number): PastStep[] {
    const first = Math.min(FIRST_PICTURES, this.size.pictures);
    const later = Array.from({ length: this.size.pictures - first }, (_, index) => first + index);
    return [
      { kind: 'join', at: this.drawnAt(creator, 0), creator, pictures: Array.from({ length: first }, (_, p) => p) },
      ...later.map((p) => ({ kind: 'draw' as const, at: this.drawnAt(creator, p), creator, pictures: [p] })),
    ];
  }

  /** When a creator has drawn a picture. The first ones are drawn on the day of joining. */
  private drawnAt(creator: number, picture: number): number {
    const joined = (CREATORS_JOINED * creator) / this.size.creators;
    const share = Math.max(0, picture - FIRST_PICTURES + 1) / this.size.pictures;
    return this.at(joined + share * (PICTURES_DRAWN - joined));
  }

  /** Pictures of a creator that exist at a time. */
  private pictures(creator: number, at: number): number {
    return Array.from({ length: this.size.pictures }).filter((_, p) => this.drawnAt(creator, p) < at).length;
  }

  /** The disputes that are lost, those that are won, the refunds and the corrections. */
  private stories(): PastStep[] {
    return Array.from({ length: this.storyCount() }, (_, index) => this.story(index)).flat();
  }

  private storyCount(): number {
    return Math.max(1, Math.floor(this.size.fans / FANS_OF_A_STORY));
  }

  /** The first fan without a story. */
  private firstRegular(): number {
    return 1 + STORY_FANS * this.storyCount();
  }

  private story(index: number): PastStep[] {
    const [losing, winning, refunded] = [1, 2, 3].map((fan) => fan + STORY_FANS * index) as [number, number, number];
    const later = (share: number): number => share + NEXT_STORY * index;
    const visit = (share: number, fan: number, bundle: string): Visit => {
      const at = this.at(later(share));
      const pictures = this.pictures(FIRST_CREATOR, at);
      const images = Array.from({ length: STORY_IMAGES }, (_, index): PlannedImage => {
        return { picture: index % pictures, end: 'completed' };
      });
      return { kind: 'visit', at, fan, creator: FIRST_CREATOR, bundle, images };
    };
    return [
      visit(0.4, winning, 'popular'),
      { kind: 'dispute', at: this.at(later(0.45)), fan: winning },
      { kind: 'decision', at: this.at(later(0.55)), fan: winning, outcome: 'won' },
      visit(0.58, losing, 'basic'),
      { kind: 'dispute', at: this.at(later(0.66)), fan: losing },
      { kind: 'decision', at: this.at(later(0.74)), fan: losing, outcome: 'lost' },
      visit(0.86, refunded, 'popular'),
      { kind: 'refund', at: this.at(later(0.88)), fan: refunded },
      { kind: 'correction', at: this.at(later(0.92)), fan: winning },
    ];
  }

  private payouts(): PayoutStep[] {
    return PAYOUT_RUNS.flatMap((share, index): PayoutStep[] => {
      const run = index + 1;
      const at = this.at(share);
      const prepare: PayoutStep = { kind: 'payouts', at, run, stage: 'prepare' };
      if (run === PAYOUT_RUNS.length) return [prepare];
      const sentAt = at + CHECKED_AFTER_MS;
      return [
        prepare,
        { kind: 'payouts', at: sentAt, run, stage: 'send' },
        { kind: 'payouts', at: sentAt + REPORTED_AFTER_MS, run, stage: 'record' },
      ];
    });
  }

  /** Visits with this many images. Their number rises from month to month. */
  private visits(images: number): Visit[] {
    const { months } = this.size;
    const weightOf = (month: number): number => 0.25 + month / months;
    const total = Array.from({ length: months }, (_, month) => weightOf(month)).reduce((sum, each) => sum + each, 0);
    const visits: Visit[] = [];
    let planned = 0;
    let dueImages = 0;
    for (let month = 0; month < months; month += 1) {
      dueImages += (images * weightOf(month)) / total;
      // Images that do not fit into a month move to the next one.
      const attempts = 1000 + VISITS_PER_IMAGE * Math.max(0, Math.round(dueImages) - planned);
      for (let attempt = 0; attempt < attempts && planned < Math.round(dueImages); attempt += 1) {
        const visit = this.visit(this.at((month + this.random.next()) / months), Math.round(dueImages) - planned);
        if (!visit) continue;
        visits.push(visit);
        planned += visit.images.length;
      }
    }
    return visits;
  }

  /** Null when the chosen fan does not come at that time. */
  private visit(time: number, most: number): Visit | null {
    const first = this.firstRegular();
    const fan = this.random.int(first - 1, this.size.fans - 1);
    const guest = fan < first ? DEMO_FAN : fan;
    // In the daytime of the first creators' time zone, and once a day.
    const at = time - (time % DAY_MS) + this.random.between(7, 22) * HOUR_MS;
    const day = `${guest} ${Math.floor(at / DAY_MS)}`;
    if (at > this.end || at < this.joinedAt(guest) || this.days.has(day)) return null;
    this.days.add(day);
    const bundle = bundleOf(guest);
    const count = Math.min(most, bundle === null ? 1 : this.random.int(2, 7));
    const creator = this.creatorFor(guest, at);
    const last = this.pictures(creator, at) - 1;
    const images = Array.from({ length: count }, () => ({ picture: this.random.int(0, last), end: this.imageEnd() }));
    return { kind: 'visit', at, fan: guest, creator, bundle, images };
  }

  private imageEnd(): PlannedImage['end'] {
    if (this.random.chance(FAILED_SHARE)) return 'failed';
    return this.random.chance(CANCELLED_SHARE) ? 'cancelled' : 'completed';
  }

  /** Two of five visits are to the first creator, most others to a favourite of the fan. */
  private creatorFor(fan: number, at: number): number {
    if (this.days.size % 5 < 2) return FIRST_CREATOR;
    const roster = Array.from({ length: this.size.creators }, (_, creator) => creator);
    const joined = Math.max(1, roster.filter((creator) => this.drawnAt(creator, 0) < at).length);
    const favourite = this.random.chance(0.5) ? fan % this.size.creators : (fan * 3 + 1) % this.size.creators;
    if (favourite < joined && this.random.chance(0.7)) return favourite;
    return Math.floor(this.random.next() ** 1.5 * joined);
  }

  private joinedAt(fan: number): number {
    if (fan === DEMO_FAN) return this.at(DEMO_FAN_JOINED);
    const first = this.firstRegular();
    const share = Math.max(0, fan - first) / (this.size.fans - first);
    // The first creator has opened the gallery by then.
    return this.at(0.005 + FANS_JOINED * share ** 1.3);
  }

  /** @param share of the whole time, 0 to 1 */
  private at(share: number): number {
    return Math.round(this.start + share * (this.end - this.start));
  }
}

/** The bundle that a fan buys; null for a fan who never pays. */
function bundleOf(fan: number): string | null {
  if (fan === DEMO_FAN) return 'basic';
  return [null, 'basic', 'popular', null, 'basic', 'premium', 'popular', null][fan % 8] ?? null;
}
