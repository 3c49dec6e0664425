import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GalleryConflictError, SaveGallery } from '../../gallery/index.js';
import { GetGeneration, StartGeneration } from '../../generation/index.js';
import { type DemoProgress } from '../../platform/config/sandboxes.js';
import { DomainError } from '../../platform/domain-error.js';
import { processImage, storeImage } from '../../platform/media/images.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { renderPortrait } from '../art/index.js';
import { type ClerkSandbox } from '../clerk/index.js';
import { accountOf, addingOf, DEMO_ACTOR, galleryGrant } from './demo-creators.js';
import { DEMO_CREATORS, type DemoCreator } from './demo-roster.js';
import { SEED_FILE } from './demo-sizes.js';
import { Patience } from './patience.js';
import { readJson, writeJson } from '../json-file.js';

export interface DemoOptions {
  readonly clerk: ClerkSandbox;
  readonly dataDir: string;
  readonly creators: number;
  /** Pictures per creator. */
  readonly pictures: number;
  /** Pixels of the longer side of a portrait, at most. */
  readonly picturePx: number;
}

/** Stored progress: an interrupted seed continues where it stopped. */
interface Progress {
  completed: boolean;
  /** Generation ids by creator and prompt. */
  pictures: Record<string, Record<string, string>>;
}

/** A demo creator with an account. */
interface Member {
  readonly creator: DemoCreator;
  readonly userId: string;
  readonly creatorId: string;
}

/** Galleries that are filled concurrently: enough to keep two cores busy with drawing. */
const CONCURRENT_GALLERIES = 4;
const POLL_MS = 50;

/**
 * Fills an empty installation with demo creators and their galleries. Every picture is generated like a fan's: credits
 * are deducted, the provider draws, the copy is watermarked and stored, and the deduction is settled.
 */
export class DemoSeed {
  private readonly commands: CommandBus;
  private readonly queries: QueryBus;
  private readonly storage: FileStorage;
  private readonly file: string;
  private readonly roster: readonly DemoCreator[];
  private drawn = 0;
  private readonly patience: Patience;

  constructor(
    context: INestApplicationContext,
    private readonly options: DemoOptions,
    private readonly report: DemoProgress,
  ) {
    this.commands = context.get(CommandBus);
    this.queries = context.get(QueryBus);
    this.storage = context.get(FileStorage);
    this.file = join(options.dataDir, SEED_FILE);
    this.patience = new Patience((reason) => report.waiting(reason));
    this.roster = DEMO_CREATORS.slice(0, options.creators);
  }

  /** Creates missing creators and pictures; does nothing when an earlier start has completed the seed. */
  async run(): Promise<void> {
    const progress = (await readJson<Progress>(this.file)) ?? { completed: false, pictures: {} };
    if (progress.completed) return;
    // Sequentially: the home page shows creators in the order of their creation.
    const queue: Member[] = [];
    for (const creator of this.roster) queue.push(await this.patience.wait(() => this.addCreator(creator)));
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await this.fillGallery(next, progress);
    };
    await Promise.all(Array.from({ length: CONCURRENT_GALLERIES }, worker));
    progress.completed = true;
    await writeJson(this.file, progress);
  }

  private async addCreator(creator: DemoCreator): Promise<Member> {
    const { userId } = await this.options.clerk.ensureUser(accountOf(creator));
    const portrait = await renderPortrait(creator.username, creator.portrait, this.options.picturePx);
    const profile = await storeImage(this.storage, await processImage(portrait));
    const { creatorId } = await this.commands.execute(addingOf(creator, userId, profile));
    return { creator, userId, creatorId };
  }

  private async fillGallery({ creator, userId, creatorId }: Member, progress: Progress): Promise<void> {
    const prompts = creator.galleryPrompts.slice(0, this.options.pictures);
    await this.patience.wait(() => this.commands.execute(galleryGrant(userId, prompts.length)));
    const done = (progress.pictures[creator.username] ??= {});
    for (const prompt of prompts) {
      done[prompt] ??= await this.draw(userId, creatorId, prompt);
      await writeJson(this.file, progress);
      this.drawn += 1;
      this.report.drawn(this.drawn, this.roster.length * this.options.pictures);
    }
    const ids = prompts.flatMap((prompt) => done[prompt] ?? []);
    const save = new SaveGallery({ creatorId, generationIds: ids, expectedVersion: 0, actor: DEMO_ACTOR });
    await this.patience
      .wait(() => this.commands.execute(save))
      .catch((error: unknown) => {
        // An interrupted start, or an attempt without an answer, has already saved the gallery.
        if (!(error instanceof GalleryConflictError)) throw error;
      });
  }

  private async start(userId: string, creatorId: string, prompt: string): Promise<string> {
    for (;;) {
      try {
        return (await this.commands.execute(new StartGeneration({ userId, prompt, creator: creatorId }))).generationId;
      } catch (error) {
        // A picture of an interrupted start is still pending: wait for its end.
        if (!(error instanceof DomainError && error.kind === 'conflict')) throw error;
        await pause(POLL_MS);
      }
    }
  }

  private async draw(userId: string, creatorId: string, prompt: string): Promise<string> {
    const generationId = await this.patience.wait(() => this.start(userId, creatorId, prompt));
    for (;;) {
      const generation = await this.patience.wait(() => this.queries.execute(new GetGeneration({ generationId })));
      if (generation?.status === 'completed') return generationId;
      if (generation?.status === 'failed') {
        throw new Error(`The demo picture “${prompt}” could not be drawn: ${generation.errorMessage}`);
      }
      await pause(POLL_MS);
    }
  }
}
