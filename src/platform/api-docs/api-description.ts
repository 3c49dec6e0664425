import { readFile } from 'node:fs/promises';
import { type INestApplication, Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ApiError } from '../http/api-error.js';
import { SERVER_FOLDER } from '../server-folder.js';
import { type ContractSchemas } from './contract-schemas.js';
import { type ApiDocument, describeApi } from './describe-api.js';

/** Where the build puts the schemas of the contract, seen from the built server and from the sources. */
const SCHEMA_FILES = ['../contract-schemas.json', '../dist/contract-schemas.json'].map(
  (path) => new URL(path, SERVER_FOLDER),
);

/** The OpenAPI description of this app. Created on the first request, so that the start does not wait for it. */
@Injectable()
export class ApiDescription {
  private app: INestApplication | null = null;
  private document: Promise<ApiDocument> | null = null;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>) {}

  /** The composition root calls this once: the app cannot be injected. */
  setApp(app: INestApplication): void {
    this.app = app;
  }

  /** @throws ApiError 503 before the build has written the schemas */
  async get(): Promise<ApiDocument> {
    this.document ??= this.make().catch((error: unknown) => {
      this.document = null;
      throw error;
    });
    return this.document;
  }

  private async make(): Promise<ApiDocument> {
    const contract = await readContractSchemas();
    if (!this.app || !contract) throw new ApiError(503, 'The API description is available after the server is built.');
    return describeApi(this.app, contract, this.config.publicUrl);
  }
}

/**
 * The types of `src/contract` as the build has written them; null before a build.
 * @param files are tried in order
 */
export async function readContractSchemas(files: readonly URL[] = SCHEMA_FILES): Promise<ContractSchemas | null> {
  for (const file of files) {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as ContractSchemas;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return null;
}
