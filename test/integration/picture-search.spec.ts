import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type FoundPicture } from '../../src/contract/gallery.js';
import { RATE_LIMITS } from '../../src/contract/rate-limits.js';
import { SearchPictures } from '../../src/gallery/reads/search-pictures.js';
import { withLogContext } from '../../src/platform/logging/request-context.js';
import { asOwner } from '../support/database.js';
import { GenerationApp } from '../support/generation-app.js';
import { planOf, type PlanNode, rowsRead } from '../support/query-plans.js';
import { recordStatements, type Statement } from '../support/statements.js';

// The tables are filled on a machine that may be busy.
jest.setTimeout(180_000);

let app: GenerationApp;

beforeAll(async () => {
  app = await GenerationApp.start();
});
afterAll(() => app?.close());

const sql = (text: string, values: unknown[] = []): Promise<unknown> => asOwner(app).query(text, values);

interface Picture {
  readonly id: string;
  readonly creatorId: string;
  readonly userId: string;
}

/** Completed pictures with these prompts, in the gallery of a new creator in this order. */
async function inGallery(...prompts: string[]): Promise<Picture[]> {
  const creatorId = await app.newCreator();
  const pictures: Picture[] = [];
  for (const prompt of prompts) {
    const userId = await app.newUser();
    pictures.push({ id: await app.delivered(userId, creatorId, prompt), creatorId, userId });
  }
  await app.curate(
    creatorId,
    pictures.map(({ id }) => id),
  );
  return pictures;
}

async function search(p_text: unknown): Promise<FoundPicture[]> {
  await sql(`delete from rate_limit`);
  const { status, body } = await app.rpc('search_pictures_public', null, { p_text });
  expect(status).toBe(200);
  return body as FoundPicture[];
}
const found = async (text: string): Promise<string[]> => (await search(text)).map(({ prompt }) => prompt);

describe('search_pictures_public', () => {
  it('finds a part of a prompt in any case, and shows what the gallery shows and the creator', async () => {
    const [picture] = await inGallery('A Quokka in a rowing boat', 'A heron');
    const [shown] = await search('  quokka IN ');
    const { body } = await app.rpc('get_gallery_generations_public', null, { p_creator_id: picture!.creatorId });
    const [{ total_count: _, ...item }] = body as [FoundPicture & { total_count: number }];
    const { rows } = await app.pool.query<{ username: string }>(`select username from creator where id = $1`, [
      picture!.creatorId,
    ]);
    expect(shown).toEqual({ ...item, creator_name: 'Aria Vale', creator_username: rows[0]!.username });
    expect(JSON.stringify(shown)).not.toContain(picture!.userId);
  });

  it('returns the six newest pictures, the newest first', async () => {
    const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    await inGallery(...numbers.map((number) => `Axolotl ${number}`));
    expect(await found('axolotl')).toEqual(
      numbers
        .slice(1)
        .reverse()
        .map((number) => `Axolotl ${number}`),
    );
  });

  it.each([
    ['100%_\\', 'Wool 100%_\\ pure', 'Wool 1000 miles pure'],
    ['%a_', 'Sign %a_ here', 'Sign bad here'],
    ['\\', 'A back\\slash', 'A slash'],
    ['مرحبا', 'كتب مرحبا بكم', 'كتب وداعا'],
    ['狐の', '雪の中の狐の絵', '雪の中の犬'],
    ['ÉTÉ', 'Un café en été', 'Un café en hiver'],
    ['ox', 'An ox on a hill', 'An owl on a hill'],
  ])('finds %s as literal text', async (text, prompt, other) => {
    await inGallery(prompt, other);
    const prompts = await found(text.length === 1 ? `k${text}s` : text);
    expect(prompts).toContain(prompt);
    expect(prompts).not.toContain(other);
  });

  const GENERATION = `update generation set hidden_at = null where id = $1`;
  it.each([
    ['that its owner hides', GENERATION.replace('null', 'now()'), 'id'],
    ['whose take-down is asked for', GENERATION.replace('hidden_at = null', 'taken_down_at = now()'), 'id'],
    [
      'that an admin hides',
      GENERATION.replace('hidden_at = null', `moderated_at = now(), moderation = 'hidden', moderation_note = 'x'`),
      'id',
    ],
    ['that is deleted', GENERATION.replace('hidden_at = null', 'deleted_at = now()'), 'id'],
    ['of a closed account', `insert into generation_closed_owner (user_id, closed_at) values ($1, now())`, 'userId'],
    [
      'that its creator keeps out of the gallery',
      `insert into gallery_set_aside (creator_id, generation_id, hidden_at)
       select creator_id, generation_id, now() from gallery_item where generation_id = $1`,
      'id',
    ],
    ['that no gallery has', `delete from gallery_item where generation_id = $1`, 'id'],
    ['of an archived creator', `update creator set is_visible = false where id = $1`, 'creatorId'],
    ['of a creator who is not approved', `update creator set creator_status = 'pending' where id = $1`, 'creatorId'],
    ['of a creator who has withdrawn', `update creator set withdrawn_at = now() where id = $1`, 'creatorId'],
  ] as const)('does not find a picture %s', async (name, change, subject) => {
    const word = `w${Buffer.from(name).toString('hex').slice(-20)}`;
    const [picture] = await inGallery(`The ${word}`);
    expect(await found(word)).toEqual([`The ${word}`]);
    await sql(change, [picture![subject]]);
    expect(await found(word)).toEqual([]);
  });

  it('finds the pictures of a creator who pauses, like the gallery', async () => {
    const [picture] = await inGallery('A pangolin');
    await sql(`update creator set paused_at = now() where id = $1`, [picture!.creatorId]);
    expect(await found('pangolin')).toEqual(['A pangolin']);
  });

  it.each([['a'], [' a '], [''], ['x'.repeat(51)], [7], [null], [['fox']]])('refuses %j', async (p_text) => {
    const { status } = await app.rpc('search_pictures_public', null, { p_text });
    expect(status).toBe(400);
  });

  it.each(['<b>', '\u200b\u200b', '\u0000\u0001x'])(
    'finds nothing for %j, which has no two visible characters',
    async (text) => {
      expect(await found(text)).toEqual([]);
    },
  );

  it('has a limit of its own', async () => {
    await sql(`delete from rate_limit`);
    await sql(`insert into rate_limit (key, hits, expires_at) values ('picture_search|ip:127.0.0.1',
      array(select now() from generate_series(1, ${RATE_LIMITS.pictureSearch.max})), now() + interval '1 minute')`);
    const { status } = await app.rpc('search_pictures_public', null, { p_text: 'fox' });
    const other = await app.rpc('get_public_creators', null);
    expect([status, other.status]).toEqual([429, 200]);
    app.clock.advance(1_000); // until then, the refusal is repeated
  });
});

describe('the search of pictures among 100,000 generations', () => {
  /** More than any of its statements reads: the pictures that are read one by one, or those that an index finds. */
  const MOST_ROWS = 6_000;
  const TABLES = ['generation', 'gallery_item', 'gallery_set_aside', 'creator'];

  beforeAll(async () => {
    const owner = await asOwner(app).connect();
    try {
      await owner.query('begin');
      await owner.query(`set local session_replication_role = replica`);
      const { rows } = await owner.query<{ indexdef: string }>(
        `select indexdef from pg_indexes where indexname = 'generation_prompt_of_creator'`,
      );
      // The index is faster to build than to fill row by row.
      await owner.query('drop index generation_prompt_of_creator');
      await owner.query(
        `insert into creator (id, username, name, email, instagram, creator_status, deployment_name, created_at, updated_at, state_since)
         select md5('mass' || n)::uuid, 'mass' || n, 'Mass ' || n, n || '@mass.test', '@mass' || n, 'active', 'mass/' || n, now(), now(), now()
         from generate_series(0, 199) as n`,
      );
      await owner.query(`insert into gallery (creator_id, updated_at, updated_by)
        select id, now(), 'x' from creator where username like 'mass%'`);
      // Every picture is a portrait, one in 2,500 has a zeppelin, and only the oldest third has a harbour.
      await owner.query(
        `insert into generation (id, user_id, creator_id, prompt, status, model, cost, prediction_id, image, credits_closed_at,
           not_before, completed_at, created_at, updated_at)
         select (lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid, 'user_' || n % 5000, md5('mass' || n % 200)::uuid,
           'A portrait of ' || md5(n::text) || case when n % 2500 = 10 then ' in a zeppelin' else '' end
             || case when n < 33000 then ' at the harbour' else '' end,
           'completed', 'model', 10, 'mass_' || n, '{"url": "/media/x/640.webp", "width": 1024, "height": 1024, "thumbhash": "x", "sources": []}',
           now(), now(), now(), now(), now()
         from generate_series(1, 100000) as n`,
      );
      await owner.query(
        `insert into gallery_item (creator_id, place, generation_id)
         select creator_id::uuid, row_number() over (partition by creator_id order by id), id
         from generation where prediction_id like 'mass%' and substr(prediction_id, 6)::int % 5 = 0`,
      );
      await owner.query(
        `insert into gallery_set_aside (creator_id, generation_id, hidden_at)
         select creator_id::uuid, id, now() from generation where prediction_id like 'mass%' and substr(prediction_id, 6)::int % 5 = 1`,
      );
      await owner.query(rows[0]!.indexdef);
      await owner.query('commit');
      await owner.query(`vacuum analyze ${TABLES.join(', ')}`);
    } finally {
      owner.release();
    }
  });

  /** Full scans of the generations, and reads of too many rows of a table. Entries of an index are not rows. */
  function faultsOf(plan: PlanNode): string[] {
    // A part that this search did not need may be planned in any way.
    if (plan['Actual Loops'] === 0) return [];
    const table = plan['Relation Name'] ?? '';
    const read = rowsRead(plan);
    const isFull = plan['Node Type'] === 'Seq Scan' && table === 'generation';
    const own = isFull || (table !== '' && read > MOST_ROWS) ? [`${plan['Node Type']} ${table}: ${read} rows`] : [];
    return [...own, ...(plan.Plans ?? []).flatMap(faultsOf)];
  }

  async function statementsOf(text: string): Promise<readonly Statement[]> {
    const recorder = recordStatements();
    try {
      await withLogContext({ requestId: text }, () => app.queries.execute(new SearchPictures({ text })));
      return recorder.ofRequest(text);
    } finally {
      recorder.stop();
    }
  }

  it.each([
    ['a rare word', 'zeppelin', 6],
    ['a word of all prompts', 'portrait', 6],
    ['a word of the oldest third', 'harbour', 6],
    ['a word without a match', 'xylophone', 0],
    ['two letters', 'zq', 0],
    ['an Arabic word', 'مرحبا', 1],
    ['a Chinese word', '狐狸', 0],
  ])('reads a bounded number of rows for %s', async (_, text, count) => {
    expect(await found(text)).toHaveLength(count);
    const statements = await statementsOf(text);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.length).toBeLessThanOrEqual(4);
    for (const statement of statements) {
      const plan = await planOf(asOwner(app), statement);
      expect([statement.text, faultsOf(plan)]).toEqual([statement.text, []]);
    }
  });
});
