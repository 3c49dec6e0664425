/** Characters of a model's name that a card shows (creator spec, section 9). */
const CHARACTERS_SHOWN = 20;

interface Model {
  readonly deployment_name: string | null;
  readonly lora_id: string | null;
}

/** The deployment name, else the LoRA id; null without a model. */
export function modelOf({ deployment_name: deployment, lora_id: lora }: Model): string | null {
  return deployment || lora || null;
}

/** A model's name for a card: its first 20 characters and '...' (creator spec, section 2). */
export function shortModel(creator: Model): string {
  const model = modelOf(creator);
  if (model === null) return 'Not set';
  return model.length > CHARACTERS_SHOWN ? `${model.slice(0, CHARACTERS_SHOWN)}...` : model;
}
