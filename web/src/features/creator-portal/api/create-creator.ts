import type { CreateCreatorRequest } from '../../../../../src/contract/calls/creators.js';
import type { CreateCreatorResponse } from '../../../../../src/contract/creators.js';
import { rpc } from '../../../lib/api.js';

/** Applies as a creator and accepts the terms. @throws ApiError */
export function createCreator(request: CreateCreatorRequest): Promise<CreateCreatorResponse> {
  return rpc('create_creator_by_jwt', request);
}
