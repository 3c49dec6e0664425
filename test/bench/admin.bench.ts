import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type QueryBus } from '@nestjs/cqrs';
import { ListAdminGenerations, ListAdminGenerationsHandler } from '../../src/gallery/reads/admin-generations.js';
import { type GalleryTables } from '../../src/gallery/tables.js';
import { type ListAdminImages, ListAdminImagesHandler } from '../../src/generation/reads/list-admin-images.js';
import { type GenerationTables } from '../../src/generation/tables.js';
import { SystemClock } from '../../src/platform/clock.js';
import { createDatabase, createPool } from '../../src/platform/database/pool.js';
import { seededRandom } from '../support/random.js';
import { bench, medianTime } from './bench.js';

const CREATOR = randomUUID();
/** Every tenth image is of another creator, so that the images of the creator do not fill their pages alone. */
const OTHERS = 10;
const RARE = 'zeppelin';
const TWO_LETTERS = 'zq';

/** Words of prompts, the most common first. */
const WORDS = `a the of in with portrait light and on dark style soft red at photo woman golden by close background
  from blue hair face green eyes wearing city detailed an under looking street night shadow colour black white sky rain
  window old forest dress smile garden morning film sea warm cold lamp glass snow mountain river paper ink watercolour
  cinematic sunset silver velvet market train hand dance autumn winter summer spring roof coat mirror smoke flower book
  harbour bridge desert moon star cloud fox owl cat horse bicycle violin piano tea coffee bread orange lemon pear plum
  marble bronze copper lace linen denim leather silk feather pearl amber jade ivory coral cobalt crimson ochre umber
  sienna teal indigo violet lilac magenta turquoise emerald sapphire opal quartz granite basalt slate chalk charcoal
  pastel fresco mosaic collage engraving etching lithograph stencil poster mural tapestry quilt origami kite lantern
  compass sextant atlas telescope microscope pendulum metronome carousel aqueduct cathedral cloister pagoda pavilion`.split(
  /\s+/,
);

await bench(async ({ pool, databaseUrl, quick, vacuum, compare }) => {
  const db = createDatabase<GenerationTables>(pool);
  const fill = createPool(databaseUrl, { max: 1, statementTimeoutMs: 0 });
  const images = quick ? 2_000 : 1_000_000;
  await fillImages(fill, images);
  await vacuum(fill);
  const { rows } = await fill.query<{ id: string }>(
    `select id from generation where creator_id = $1 order by created_at offset $2 limit 1`,
    [CREATOR, images / 2],
  );
  await fill.end();
  const id = rows[0]?.id ?? '';

  const clock = new SystemClock();
  const imagesOf = new ListAdminImagesHandler(db, clock, {} as QueryBus);
  const bus = { execute: (query: ListAdminImages) => imagesOf.execute(query) } as unknown as QueryBus;
  const handler = new ListAdminGenerationsHandler(createDatabase<GalleryTables>(pool), clock, bus);
  const search = async (text: string): Promise<void> => {
    const page = { creatorId: CREATOR, search: text, limit: 12, offset: 0 };
    const { length } = await handler.execute(new ListAdminGenerations(page));
    if (length === 0) throw new Error(`Nothing was found for ${text}.`);
  };
  const phase = (text: string, calls: number): Promise<number> => medianTime(quick ? 3 : calls, () => search(text));
  const terms = [
    { name: 'a rare term', text: RARE, target: { atMost: 10 } },
    { name: 'a common term', text: 'portrait', target: { atMost: 30 } },
    { name: 'a term of two letters', text: TWO_LETTERS, target: { atMost: 30 } },
  ];
  for (const { name, text, target } of terms) {
    await compare({
      name: `${name} in 1,000,000 prompts`,
      unit: 'ms',
      target,
      run: () => phase(text, 100),
      base: 'by id',
      runBase: () => phase(id, 500),
    });
  }
});

/** Images of the creator, one a minute, and a tenth as many of others. One prompt in 10,000 has the rare term. */
async function fillImages(fill: pg.Pool, images: number): Promise<void> {
  await fill.query(`alter table generation disable trigger user`);
  const index = 'generation_prompt_of_creator';
  const { rows } = await fill.query<{ indexdef: string }>(`select indexdef from pg_indexes where indexname = $1`, [
    index,
  ]);
  // The index is faster to build than to fill row by row.
  await fill.query(`drop index ${index}`);
  await fill.query(
    `create temporary table phrase as select n - 1 as n, text from unnest($1::text[]) with ordinality as p (text, n)`,
    [phrases()],
  );
  await fill.query(
    `insert into generation (id, user_id, creator_id, prompt, status, model, cost, prediction_id, image, credits_closed_at,
       not_before, completed_at, created_at, updated_at)
     select gen_random_uuid(), 'user_' || made.n % 50000,
       case when made.n % ${OTHERS + 1} = 0 then 'other_' || made.n % 1000 else $1 end,
       one.text || ' ' || other.text || case when made.n % 10000 = 700 then ' ${RARE}' else '' end
         || case when made.n % 500 = 7 then ' ${TWO_LETTERS}' else '' end,
       'completed', 'model', 10, 'prediction_' || made.n,
       jsonb_build_object('url', '/media/' || md5(made.n::text) || '/640.webp', 'width', 1024, 'height', 1280,
         'thumbhash', md5('thumb' || made.n), 'sources', jsonb_build_array(
           jsonb_build_object('url', '/media/' || md5(made.n::text) || '/320.webp', 'width', 320),
           jsonb_build_object('url', '/media/' || md5(made.n::text) || '/1024.webp', 'width', 1024))),
       at, at, at, at, at
     from (
       select n, now() - ($2::int * 2 - n) * interval '1 minute' as at, hashint4(n) as a, hashint4(-n) as b
       from generate_series(1, $2::int + $2::int / ${OTHERS}) as n
     ) as made
     join phrase one on one.n = (a & 1023) join phrase other on other.n = (b & 1023)
     order by made.n`,
    [CREATOR, images],
  );
  await fill.query(rows[0]?.indexdef ?? '');
  await fill.query(`alter table generation enable trigger user`);
}

/** 1,024 parts of prompts. */
function phrases(): string[] {
  const random = seededRandom(1);
  const word = (): string => WORDS[Math.floor(random() ** 2 * WORDS.length)] ?? '';
  return Array.from({ length: 1024 }, () => Array.from({ length: 4 + Math.floor(random() * 5) }, word).join(' '));
}
