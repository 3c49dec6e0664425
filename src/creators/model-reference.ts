import { DomainError } from '../platform/domain-error.js';

/** A model of the image provider: a deployment, or a version. */
export type ModelColumns =
  | { readonly deployment_name: string; readonly lora_id: null }
  | { readonly deployment_name: null; readonly lora_id: string };

const NAME = '[a-z0-9][a-z0-9_.-]{0,99}';
const DEPLOYMENT = new RegExp(`^${NAME}/${NAME}$`);
const VERSION = new RegExp(`^(${NAME}/${NAME}:)?[0-9a-f]{64}$`);

/**
 * Reads the model that an admin assigns. Blank texts count as missing.
 * @throws DomainError invalid unless exactly one is given, in the form of the provider
 */
export function readModel(deployment: string | null | undefined, version: string | null | undefined): ModelColumns {
  const deploymentName = deployment?.trim() ?? '';
  const loraId = version?.trim() ?? '';
  if ((deploymentName === '') === (loraId === '')) {
    throw new DomainError('invalid', 'Give exactly one model: a deployment name or a version.');
  }
  if (loraId === '') {
    if (DEPLOYMENT.test(deploymentName)) return { deployment_name: deploymentName, lora_id: null };
    throw new DomainError('invalid', 'The deployment name must have the form owner/name, in lower case.');
  }
  if (VERSION.test(loraId)) return { deployment_name: null, lora_id: loraId };
  throw new DomainError('invalid', 'The version must be 64 hex digits, or owner/name:version.');
}
