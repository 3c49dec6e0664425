import { Controller, Get, Header, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { RATE_LIMITS } from '../../platform/http/rate-limits.js';
import { Route } from '../../platform/http/routes.js';
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

  @Get('sitemap.xml')
  @Header('Content-Type', 'application/xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  @Route({ access: 'public', limit: RATE_LIMITS.publicData })
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
