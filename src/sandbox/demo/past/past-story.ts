import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type CreditBundle } from '../../../contract/payments.js';
import { GENERATION_COST } from '../../../contract/prices.js';
import { SavePayoutDetails } from '../../../creators/index.js';
import { AdjustCredits, GrantDailyCredits } from '../../../credits/index.js';
import { GalleryConflictError, SaveGallery } from '../../../gallery/index.js';
import {
  CancelGeneration,
  GenerationWorker,
  GetGeneration,
  StartGeneration,
  SyncGeneration,
} from '../../../generation/index.js';
import {
  CreateCheckout,
  ListBundles,
  ListPurchases,
  LookUpCheckout,
  PaymentSettler,
  RefundPurchase,
} from '../../../payments/index.js';
import { DomainError } from '../../../platform/domain-error.js';
import { Random, seedOf } from '../../art/random.js';
import { type ClerkSandbox } from '../../clerk/index.js';
import { type StripeSandbox } from '../../stripe/index.js';
import { accountOf, addingOf, DEMO_ACTOR, galleryGrant } from '../demo-creators.js';
import { demoActor } from '../demo-accounts.js';
import { type DemoCreator } from '../demo-roster.js';
import { isTransient, type Patience } from '../patience.js';
import { type PastClock } from './past-clock.js';
import { fanAccount } from './past-fans.js';
import { PastPayouts } from './past-payouts.js';
import { type PastPictures, type PastProvider } from './past-pictures.js';
import { type PastStep, type PlannedImage, type Visit } from './past-plan.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Errors of the provider. */
const ERRORS = ['CUDA out of memory', 'The model could not draw this.', 'NSFW content was detected'];
/** More than the free credits of a day: a part of them is paid. */
const CORRECTED_CREDITS = 25;

/** A demo creator who has joined. */
interface Member {
  readonly userId: string;
  readonly creatorId: string;
  /** Generations of the gallery, in the order of its prompts. */
  readonly gallery: string[];
  /** Version of the saved gallery. */
  version: number;
}

/** Creators who have joined, by username. Later steps and later attempts need them. */
export type Members = Record<string, Member | undefined>;

export interface StoryParts {
  readonly context: INestApplicationContext;
  readonly clerk: ClerkSandbox;
  readonly stripe: StripeSandbox;
  readonly clock: PastClock;
  readonly pictures: PastPictures;
  readonly provider: PastProvider;
  readonly roster: readonly DemoCreator[];
  /** Pictures of each creator. */
  readonly perCreator: number;
  readonly publicUrl: string;
  readonly members: Members;
  readonly patience: Patience;
  /** Called after each image. */
  readonly onImage: () => void;
}

/** Performs the steps of the past with the commands that clicks of fans, creators and admins send. */
export class PastStory {
  private readonly commands: CommandBus;
  private readonly queries: QueryBus;
  private readonly worker: GenerationWorker;
  private readonly settler: PaymentSettler;
  private readonly payouts: PastPayouts;
  private bundles: readonly CreditBundle[] = [];

  constructor(private readonly parts: StoryParts) {
    this.commands = parts.context.get(CommandBus);
    this.queries = parts.context.get(QueryBus);
    this.worker = parts.context.get(GenerationWorker, { strict: false });
    this.settler = parts.context.get(PaymentSettler, { strict: false });
    this.payouts = new PastPayouts(parts.context, parts.clerk, parts.clock);
  }

  /** Every step but a visit continues where an earlier attempt stopped. */
  async perform(step: PastStep): Promise<void> {
    this.parts.clock.moveTo(step.at);
    if (step.kind === 'visit') return this.visit(step);
    await this.parts.patience.wait(async () => {
      if (step.kind === 'join') return this.join(this.creator(step.creator), step.pictures);
      if (step.kind === 'draw') return this.drawForGallery(this.creator(step.creator), step.pictures);
      if (step.kind === 'payouts') return this.payouts.perform(step);
      if (step.kind === 'dispute') return this.dispute(step.fan);
      if (step.kind === 'decision') return this.decide(step.fan, step.outcome);
      if (step.kind === 'correction') return this.correct(step.fan);
      return this.refund(step.fan);
    });
  }

  /** Records what the steps have earned. */
  async end(): Promise<void> {
    await this.payouts.recordEarnings();
  }

  private async join(creator: DemoCreator, pictures: readonly number[]): Promise<void> {
    const { clerk, members } = this.parts;
    const { userId } = await clerk.ensureUser(accountOf(creator));
    const portrait = await this.parts.pictures.portrait(creator);
    const { creatorId } = await this.commands.execute(addingOf(creator, userId, portrait));
    members[creator.username] ??= { userId, creatorId, gallery: [], version: 0 };
    await this.commands.execute(galleryGrant(userId, this.parts.perCreator));
    await this.commands.execute(new SavePayoutDetails({ userId, fields: payoutDetailsOf(creator) }));
    await this.drawForGallery(creator, pictures);
  }

  /** Draws what the gallery does not have yet, and saves it. */
  private async drawForGallery(creator: DemoCreator, pictures: readonly number[]): Promise<void> {
    const member = this.member(creator);
    const { userId, creatorId, gallery } = member;
    for (const picture of pictures) {
      if (gallery[picture] !== undefined) continue;
      this.parts.clock.pass(6 * MINUTE_MS);
      const prompt = creator.galleryPrompts[picture] ?? '';
      const generationId = await this.draw(userId, creatorId, prompt);
      const drawn = await this.queries.execute(new GetGeneration({ generationId }));
      if (drawn?.status !== 'completed') throw new Error(`The demo picture “${prompt}” could not be drawn.`);
      gallery[picture] = generationId;
      this.parts.onImage();
    }
    const save = { creatorId, generationIds: [...gallery], expectedVersion: member.version, actor: DEMO_ACTOR };
    const saved = await this.commands.execute(new SaveGallery(save)).catch((error: unknown) => {
      // An earlier attempt has saved it.
      if (error instanceof GalleryConflictError) return { version: member.version + 1 };
      throw error;
    });
    member.version = saved.version;
  }

  /** A fan draws images, and buys when the credits are spent. A refusal ends the visit. */
  private async visit(visit: Visit): Promise<void> {
    const { clock, onImage } = this.parts;
    const creator = this.creator(visit.creator);
    const { creatorId } = this.member(creator);
    const random = new Random(seedOf(`visit ${visit.fan} ${visit.at}`));
    let images = 0;
    try {
      const { userId } = await this.fan(visit.fan);
      const { balances } = await this.commands.execute(new GrantDailyCredits({ userId }));
      let credits = balances.total;
      for (const image of visit.images) {
        clock.pass(random.int(40, 200) * SECOND_MS);
        if (credits < GENERATION_COST) {
          if (visit.bundle === null) break;
          credits += await this.buy(visit.fan, userId, visit.bundle);
        }
        const prompt = creator.galleryPrompts[image.picture] ?? '';
        this.parts.provider.nextError = image.end === 'failed' ? random.pick(ERRORS) : null;
        await this.draw(userId, creatorId, prompt, image.end, random.int(5, 21) * SECOND_MS);
        if (image.end === 'completed') credits -= GENERATION_COST;
        images += 1;
        onImage();
      }
    } catch (error) {
      // An interrupted start may have left a pending image, or a store does not answer: the fan comes back later.
      if (!(error instanceof DomainError || isTransient(error))) throw error;
    } finally {
      this.parts.provider.nextError = null;
      for (; images < visit.images.length; images += 1) onImage();
    }
  }

  /** @returns the generation's id */
  private async draw(
    userId: string,
    creator: string,
    prompt: string,
    end: PlannedImage['end'] = 'completed',
    drawingMs = 9 * SECOND_MS,
  ): Promise<string> {
    const started = await this.commands.execute(new StartGeneration({ userId, prompt, creator }));
    const { generationId, predictionId } = started;
    this.parts.clock.pass(drawingMs);
    if (end === 'cancelled') {
      await this.commands.execute(new CancelGeneration({ userId, target: { generationId } }));
    } else if (predictionId !== null) {
      await this.commands.execute(new SyncGeneration({ userId, predictionId }));
    }
    // Copies the image and settles, or refunds. The clock must not move before that.
    await this.worker.idle();
    return generationId;
  }

  /** @returns the credits of the bundle */
  private async buy(fan: number, userId: string, bundleId: string): Promise<number> {
    const { publicUrl, stripe, clock } = this.parts;
    if (this.bundles.length === 0) this.bundles = await this.queries.execute(new ListBundles());
    const bundle = this.bundles.find(({ id }) => id === bundleId);
    if (!bundle) throw new Error(`There is no bundle ${bundleId}.`);
    const request = {
      bundleId,
      bundleCredits: bundle.credits,
      bundlePrice: bundle.price,
      successUrl: `${publicUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${publicUrl}/payment-canceled`,
    };
    const { url } = await this.commands.execute(new CreateCheckout({ userId, request }));
    const sessionId = url.split('/').at(-1) ?? '';
    clock.pass(45 * SECOND_MS);
    const { email, firstName, lastName } = fanAccount(fan);
    const declined = await stripe.pay(sessionId, 'pays', { email, name: `${firstName} ${lastName}` });
    if (declined !== null) throw new Error(declined);
    clock.pass(5 * SECOND_MS);
    await this.commands.execute(new LookUpCheckout({ userId, sessionId }));
    return bundle.credits;
  }

  private async dispute(fan: number): Promise<void> {
    const purchase = await this.lastPurchase(fan);
    if (purchase?.status !== 'paid') return;
    const { stripe } = this.parts;
    if (stripe.openDispute(purchase.id) === null) await stripe.dispute(purchase.id, { reason: 'fraudulent' });
    await this.settler.settle(purchase.id);
  }

  private async decide(fan: number, outcome: 'won' | 'lost'): Promise<void> {
    const purchase = await this.lastPurchase(fan);
    if (purchase?.status !== 'disputed') return;
    const dispute = this.parts.stripe.openDispute(purchase.id);
    if (dispute !== null) await this.parts.stripe.closeDispute(dispute, outcome);
    await this.settler.settle(purchase.id);
  }

  private async refund(fan: number): Promise<void> {
    const purchase = await this.lastPurchase(fan);
    if (purchase?.status !== 'paid') return;
    const admin = await demoActor(this.parts.clerk, 'admin');
    const reason = 'The fan asked for the unspent credits.';
    const order = { admin, sessionId: purchase.id, credits: null, reason, requestId: null };
    await this.commands.execute(new RefundPurchase(order));
  }

  /** Takes credits back: the free ones of the day first, then paid ones. */
  private async correct(fan: number): Promise<void> {
    const admin = await demoActor(this.parts.clerk, 'admin');
    const { userId } = await this.fan(fan);
    const { balances } = await this.commands.execute(new GrantDailyCredits({ userId }));
    const amount = Math.min(CORRECTED_CREDITS, balances.total);
    if (amount === 0) return;
    const reason = 'Credits that support had granted twice.';
    await this.commands.execute(
      new AdjustCredits({ userId, adjustmentId: `demo-correction-${fan}`, amount, reason, admin }),
    );
  }

  private async lastPurchase(fan: number) {
    const { userId } = await this.fan(fan);
    const [purchase] = await this.queries.execute(new ListPurchases({ userId, limit: 1, offset: 0 }));
    return purchase;
  }

  private fan(fan: number): Promise<{ readonly userId: string }> {
    return this.parts.clerk.ensureUser(fanAccount(fan));
  }

  private member(creator: DemoCreator): Member {
    const member = this.parts.members[creator.username];
    if (!member) throw new Error(`${creator.name} has not joined yet.`);
    return member;
  }

  private creator(index: number): DemoCreator {
    const creator = this.parts.roster[index];
    if (!creator) throw new Error(`There is no demo creator ${index}.`);
    return creator;
  }
}

/** Details that no bank knows: the account is a name of the sandbox. */
function payoutDetailsOf({ name, username }: DemoCreator): SavePayoutDetails['input']['fields'] {
  return { legal_name: name, country: 'US', account: `SANDBOX-${username}`, tax_status: 'us_person' };
}
