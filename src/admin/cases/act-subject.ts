import { type NewAct } from '../../platform/acts/acts.js';
import { type CaseKind } from '../../contract/moderation.js';

/** Characters of a prompt in the name of an act's subject. */
const NAME_LENGTH = 60;

/** The subject of acts about a case: its image, or the refusal. */
export function subjectOf(
  { kind, id }: { readonly kind: CaseKind; readonly id: string },
  { generationId, prompt }: { readonly generationId: string | null; readonly prompt: string },
): NewAct['subject'] {
  const name = prompt === '' ? null : prompt.slice(0, NAME_LENGTH);
  return generationId === null || kind === 'refusal'
    ? { kind: 'refusal', id, name }
    : { kind: 'generation', id: generationId, name };
}
