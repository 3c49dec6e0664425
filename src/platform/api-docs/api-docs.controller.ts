import { Controller, Header } from '@nestjs/common';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Endpoint } from '../http/routes.js';
import { ApiDescription } from './api-description.js';
import { API_PAGE_POLICY, renderApiPage } from './api-page.js';

/** The description of the API, for programs and for people. */
@Controller()
export class ApiDocsController {
  constructor(private readonly description: ApiDescription) {}

  @Endpoint('GET /docs/api/openapi.json', { access: 'public', limit: RATE_LIMITS.publicData })
  async json(): Promise<object> {
    return this.description.get();
  }

  @Endpoint('GET /docs/api', { access: 'public', limit: RATE_LIMITS.publicData })
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', API_PAGE_POLICY)
  async page(): Promise<string> {
    return renderApiPage(await this.description.get());
  }
}
