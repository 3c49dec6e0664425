import type { GenerationView } from '../../../../src/contract/generation.js';
import { rpc } from '../../lib/api.js';
import { viewer } from '../../lib/auth.js';
import { promptHistory } from './prompt-history.js';

/** Deletes an own generation permanently, and its prompt also from the history of this browser. */
export async function deleteGeneration({ id, prompt }: GenerationView): Promise<void> {
  await rpc('delete_generation_by_jwt', { p_generation_id: id });
  const { user } = viewer();
  if (user) promptHistory.remove(user.id, prompt);
}
