import { Body, Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ReplicateApiRequest } from '../../contract/calls/generation.js';
import { type ReplicateApiResponse } from '../../contract/generation.js';
import { RATE_LIMITS, UNKNOWN_CATEGORY, type RateLimit } from '../../contract/rate-limits.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type Principal } from '../../platform/principal.js';
import { CurrentUser, Fn, signedIn } from '../../platform/http/routes.js';
import { MESSAGES } from '../messages.js';
import { type GenerationRow } from '../tables.js';
import { CancelGeneration } from '../use-cases/cancel-generation.js';
import { StartGeneration } from '../use-cases/start-generation.js';
import { SyncGeneration } from '../use-cases/sync-generation.js';
import { isCancelled, shownImage } from '../images/visibility.js';

/** A Map, so that a path such as `constructor` does not match a member of `Object.prototype`. */
const LIMITS: ReadonlyMap<unknown, RateLimit> = new Map([
  ['generate', RATE_LIMITS.imageGeneration],
  ['status', RATE_LIMITS.statusCheck],
  ['cancel', RATE_LIMITS.cancelOperations],
]);

function rateLimitFor(body: unknown): RateLimit {
  const path = (body as { path?: unknown } | null | undefined)?.path;
  return LIMITS.get(path) ?? UNKNOWN_CATEGORY;
}

/**
 * The server function `replicate-api` (fan spec, section 7). It is not a proxy to the provider: `generate` starts a
 * paid generation with all checks; `status` and `cancel` are for the owner of the generation.
 */
@Controller()
export class ReplicateApiController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  @Fn('replicate-api', signedIn('generate images', rateLimitFor))
  async handle(
    @CurrentUser() { userId }: Principal,
    @Body() request: ReplicateApiRequest,
  ): Promise<ReplicateApiResponse> {
    switch (request.path) {
      case 'generate':
        return this.generate(userId, request);
      case 'status': {
        const row = await this.commands.execute(new SyncGeneration({ userId, predictionId: requireId(request) }));
        return { status: providerStatus(row), output: this.outputOf(row), error: row.error_message };
      }
      case 'cancel':
        await this.commands.execute(new CancelGeneration({ userId, target: { predictionId: requireId(request) } }));
        return { message: MESSAGES.cancelled };
    }
  }

  private async generate(userId: string, request: ReplicateApiRequest): Promise<ReplicateApiResponse> {
    const model = request.deploymentName ?? request.modelVersion ?? '';
    const { predictionId } = await this.commands.execute(
      new StartGeneration({ userId, prompt: request.prompt ?? '', creator: { model } }),
    );
    // The reconciler refunds the credits unless a webhook delivers the prediction id later.
    if (predictionId === null) throw new ApiError(503, MESSAGES.noPredictionIdReceived, { retryAfterSeconds: 60 });
    return { id: predictionId, success: true, error: null };
  }

  private outputOf(row: GenerationRow): string[] | null {
    const image = shownImage(row, { isAdmin: false });
    return image && [new URL(image.url, this.config.publicUrl).href];
  }
}

function requireId(request: ReplicateApiRequest): string {
  if (!request.id) throw new ApiError(400, MESSAGES.idMissing);
  return request.id;
}

function providerStatus(row: GenerationRow): 'starting' | 'processing' | 'succeeded' | 'failed' | 'canceled' {
  if (row.status === 'completed') return 'succeeded';
  if (row.status === 'failed') return isCancelled(row) ? 'canceled' : 'failed';
  return row.drawing_at === null ? 'starting' : 'processing';
}
