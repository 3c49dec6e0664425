import { Controller, Header, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Endpoint } from '../../platform/http/routes.js';
import { ListPublicPaths } from '../reads/list-public-paths.js';

/** Most addresses that one sitemap may hold (sitemaps.org). */
const MAX_ADDRESSES = 50_000;

/** `sitemap.xml` and `robots.txt`. */
@Controller()
export class SitemapController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  @Endpoint('GET /sitemap.xml', { access: 'public', limit: RATE_LIMITS.publicData })
  @Header('Content-Type', 'application/xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  async sitemap(): Promise<string> {
    const paths = await this.queries.execute(new ListPublicPaths({ limit: MAX_ADDRESSES }));
    const entries = paths.map((path) => `  <url><loc>${new URL(path, this.config.publicUrl).href}</loc></url>`);
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...entries,
      '</urlset>',
      '',
    ].join('\n');
  }

  @Endpoint('GET /robots.txt', { access: 'public' })
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  robots(): string {
    const hidden = [
      '/account',
      '/admin',
      '/audit',
      '/closed-account',
      '/credits',
      '/finance',
      '/my-creations',
      '/payment-canceled',
      '/payment-success',
      '/purchase-credits',
      '/sign-in',
      '/sign-up',
      '/exports',
      '/functions',
      '/rest',
    ];
    return [
      'User-agent: *',
      // A rule without an end would also hide creators whose name begins like it.
      ...hidden.flatMap((path) => [`Disallow: ${path}$`, `Disallow: ${path}/`]),
      `Sitemap: ${new URL('/sitemap.xml', this.config.publicUrl).href}`,
      '',
    ].join('\n');
  }
}
