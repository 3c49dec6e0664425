import { type ModelColumns } from '../../creators/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { MESSAGES } from '../messages.js';
import { type ModelReference, ProviderUnavailableError } from '../providers/image-provider.js';

/** A model as the image provider names it. */
export function referenceOf(model: ModelColumns): ModelReference {
  return model.lora_id === null ? { deploymentName: model.deployment_name } : { version: model.lora_id };
}

/** @throws DomainError unavailable when the provider does not answer */
export async function requireAnswer<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    throw new DomainError('unavailable', MESSAGES.modelNotChecked, { retryAfterSeconds: 5, cause: error });
  }
}
