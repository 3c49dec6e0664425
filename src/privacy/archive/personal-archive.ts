import { Inject, Injectable, Logger } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { DATABASE } from '../../platform/database/database.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { README } from './archive-readme.js';
import { writeJson } from './json-file.js';
import { type PersonalTables } from './personal-tables.js';
import { readAccount } from './reads/account.js';
import { readActsAbout } from './reads/acts.js';
import { type Creation, findImage, readCreations } from './reads/creations.js';
import { type CreatorRecord, readConsent, readCreator } from './reads/creator.js';
import { readCreatorControls } from './reads/creator-controls.js';
import { readCreditEvents } from './reads/credit-events.js';
import { readOwnReports, readRefusedPrompts, readSanctions } from './reads/moderation.js';
import { readDebts, readPurchases } from './reads/payments.js';

/** Name of a creator's portrait in the archive. */
const PORTRAIT = 'pictures/portrait.webp';

/** A file of the archive. Streams must be read to their end before the next file is requested. */
export interface ArchiveFile {
  readonly name: string;
  readonly input: string | Uint8Array | AsyncIterable<string>;
  readonly lastModified: Date;
}

/** A picture that is not in the archive. */
interface MissingPicture {
  readonly file: string;
  readonly reason: string;
}

/** Everything that Fanvas keeps about one person, as the files of an archive. */
@Injectable()
export class PersonalArchive {
  private readonly logger = new Logger(PersonalArchive.name);

  constructor(
    @Inject(DATABASE) private readonly db: PersonalTables,
    private readonly queries: QueryBus,
    private readonly eventStore: EventStore,
    private readonly storage: FileStorage,
    private readonly clock: Clock,
  ) {}

  /**
   * The files in order. Reads as the consumer asks: at most one page of rows and one picture are in memory. The files
   * are not one snapshot: changes meanwhile may be in some of them. A picture that cannot be read is named in the last
   * file, `manifest.json`.
   */
  async *files(userId: string): AsyncGenerator<ArchiveFile> {
    const lastModified = this.clock.now();
    const { db, queries } = this;
    const file = (name: string, input: ArchiveFile['input']): ArchiveFile => ({ name, input, lastModified });

    yield file('README.txt', README);
    const consent = await readConsent(db, userId);
    yield file('account.json', jsonOf({ ...(await readAccount(db, userId)), creator_consent: consent }));
    const creator = await readCreator(db, userId);
    if (creator) {
      const { id: creatorId, profile, portrait, applications, decisions, questions, income, images, payouts } = creator;
      const controls = await readCreatorControls(db, queries, { userId, creatorId });
      const months = { income_by_month: income, images_by_month: images, payouts };
      const shown = { profile, portrait: portrait && PORTRAIT };
      yield file('creator.json', jsonOf({ ...shown, applications, decisions, questions, ...controls, ...months }));
    }
    yield file('credits.json', this.credits(userId, lastModified));
    const owed = await readDebts(db, userId);
    const purchases = { lists: { purchases: readPurchases(db, userId) }, values: () => ({ owed }) };
    yield file('purchases.json', writeJson(purchases));
    yield file('creations.json', writeJson({ lists: { creations: recordsOf(readCreations(db, queries, userId)) } }));
    const about = { userId, creatorId: creator?.id ?? null };
    const moderation = {
      refused_prompts: readRefusedPrompts(db, userId),
      own_reports: readOwnReports(db, userId),
      acts_of_admins: readActsAbout(db, about),
    };
    const sanctions = await readSanctions(db, userId);
    yield file('moderation.json', writeJson({ lists: moderation, values: () => sanctions }));

    let pictures = 0;
    const missing: MissingPicture[] = [];
    for await (const { name, bytes } of this.pictures(userId, creator)) {
      if (typeof bytes === 'string') missing.push({ file: name, reason: bytes });
      else {
        pictures += 1;
        yield file(name, bytes);
      }
    }
    const manifest = { format: 'fanvas-personal-data', version: 1, made_at: lastModified, user_id: userId };
    yield file('manifest.json', jsonOf({ ...manifest, pictures, missing_pictures: missing }));
  }

  private async *credits(userId: string, now: Date): AsyncGenerator<string> {
    let balance: object = {};
    const { eventStore } = this;
    async function* events(): AsyncGenerator<readonly object[]> {
      balance = yield* readCreditEvents(eventStore, userId, now);
    }
    yield* writeJson({ lists: { events: events() }, values: () => ({ balance }) });
  }

  /** All pictures, one at a time: the bytes, or why they cannot be read. */
  private async *pictures(
    userId: string,
    creator: CreatorRecord | null,
  ): AsyncGenerator<{ readonly name: string; readonly bytes: Buffer | string }> {
    const { portrait } = creator ?? {};
    if (portrait) {
      const read = () => this.storedPicture(portrait.url);
      yield { name: PORTRAIT, bytes: await this.bytesOf({ creatorId: creator?.id }, read) };
    }
    for await (const page of readCreations(this.db, this.queries, userId)) {
      for (const creation of page) {
        if (!creation.image) continue;
        const read = () => this.picture(userId, creation);
        yield { name: creation.file, bytes: await this.bytesOf({ generationId: creation.id }, read) };
      }
    }
  }

  private async picture(userId: string, { id, image }: Creation): Promise<Buffer | null> {
    const bytes = image && (await this.storedPicture(image.url));
    if (bytes) return bytes;
    // The owner hid it after the page was read, which moved it.
    const moved = await findImage(this.db, userId, id);
    return moved && this.storedPicture(moved.url);
  }

  /** @param subject for the log */
  private async bytesOf(subject: object, read: () => Promise<Buffer | null>): Promise<Buffer | string> {
    try {
      return (await read()) ?? 'The picture is no longer stored.';
    } catch (error) {
      this.logger.warn({ message: 'A picture is missing in an export of personal data.', ...subject, error });
      return 'The picture could not be read. Please try again later.';
    }
  }

  private storedPicture(url: string): Promise<Buffer | null> {
    return this.storage.get(url.slice('/media/'.length));
  }
}

async function* recordsOf(pages: AsyncIterable<readonly Creation[]>): AsyncGenerator<readonly object[]> {
  for await (const page of pages) yield page.map(({ record }) => record);
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
