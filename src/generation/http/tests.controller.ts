import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RateTestRequest, StartTestRequest } from '../../contract/calls/generation.js';
import { PageRequest } from '../../contract/calls/shared.js';
import { type RpcResponse } from '../../contract/calls.js';
import { type StartTestResponse, type TestGeneration } from '../../contract/generation.js';
import { PAGE_SIZES, TESTS_PER_DAY } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Success } from '../../contract/scalars.js';
import { CurrentUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { GetTestAllowance } from '../reads/get-test-allowance.js';
import { ListTests } from '../reads/list-tests.js';
import { RateTest } from '../use-cases/rate-test.js';
import { StartTest } from '../use-cases/start-test.js';

/** The test tab of creators: free images with their own model. */
@Controller()
export class TestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('start_test_generation_by_jwt', signedIn('test a model', RATE_LIMITS.imageGeneration))
  async start(@CurrentUser() { userId }: Principal, @Body() request: StartTestRequest): Promise<StartTestResponse> {
    const started = await this.commands.execute(new StartTest({ userId, prompt: request.p_prompt }));
    return { success: true, generation_id: started.generationId, remaining_today: started.remainingToday };
  }

  @Rpc('get_own_test_generations_by_jwt', signedIn('fetch test images', RATE_LIMITS.creatorData))
  async list(@CurrentUser() { userId }: Principal, @Body() request: PageRequest): Promise<TestGeneration[]> {
    const limit = request.p_limit ?? PAGE_SIZES.generations;
    return this.queries.execute(new ListTests({ userId, limit, offset: request.p_offset ?? 0 }));
  }

  @Rpc('get_test_allowance_by_jwt', signedIn('test a model', RATE_LIMITS.creatorData))
  async allowance(@CurrentUser() { userId }: Principal): Promise<RpcResponse<'get_test_allowance_by_jwt'>> {
    const { usedToday, resetsAt } = await this.queries.execute(new GetTestAllowance({ userId }));
    return { used_today: usedToday, limit: TESTS_PER_DAY, resets_at: resetsAt.toISOString() };
  }

  @Rpc('rate_test_generation_by_jwt', signedIn('rate a test image', RATE_LIMITS.standardApi))
  async rate(@CurrentUser() { userId }: Principal, @Body() request: RateTestRequest): Promise<Success> {
    const { p_generation_id: generationId, p_rating: rating, p_note: note } = request;
    await this.commands.execute(new RateTest({ userId, generationId, rating, note: note ?? undefined }));
    return { success: true };
  }
}
