import { Controller, Get, Header, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';
import { GetPublicCreators } from '../../creators/index.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DATABASE } from '../../platform/database/database.js';
import { RATE_LIMITS } from '../../platform/http/rate-limits.js';
import { Route } from '../../platform/http/routes.js';
import { STATIC_PAGES } from './static-pages.js';
import { type GalleryTables } from '../tables.js';

/** Most addresses that one sitemap may hold (sitemaps.org). */
const MAX_ADDRESSES = 50_000;

/** What search engines may find: the static pages, the public creators and the curated galleries. */
@Controller()
export class SitemapController {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<GalleryTables>,
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  @Get('sitemap.xml')
  @Header('Content-Type', 'application/xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  @Route({ access: 'public', limit: RATE_LIMITS.publicData })
  async sitemap(): Promise<string> {
    const creators = await this.queries.execute(new GetPublicCreators());
    const usernames = new Map(creators.map(({ id, username }) => [id, username]));
    const items = await this.db
      .selectFrom('gallery_item')
      .select(['creator_id', 'generation_id'])
      .orderBy('creator_id')
      .orderBy('place')
      .limit(MAX_ADDRESSES)
      .execute();
    const paths = [
      ...STATIC_PAGES.keys(),
      ...creators.map(({ username }) => `/${username}`),
      ...items.flatMap(({ creator_id: creatorId, generation_id: id }) => {
        const username = usernames.get(creatorId);
        return username === undefined ? [] : [`/${username}/generate/${id}`];
      }),
    ].slice(0, MAX_ADDRESSES);
    const entries = paths.map((path) => `  <url><loc>${new URL(path, this.config.publicUrl).href}</loc></url>`);
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...entries,
      '</urlset>',
      '',
    ].join('\n');
  }

  @Get('robots.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  @Route({ access: 'public' })
  robots(): string {
    const hidden = [
      '/admin',
      '/credits',
      '/my-creations',
      '/payment-',
      '/purchase-credits',
      '/sign-',
      '/functions',
      '/rest',
    ];
    return [
      'User-agent: *',
      ...hidden.map((path) => `Disallow: ${path}`),
      `Sitemap: ${new URL('/sitemap.xml', this.config.publicUrl).href}`,
      '',
    ].join('\n');
  }
}
