import { describe, expect, it } from '@jest/globals';
import { modelOf, shortModel } from './model-id.js';

const model = (deployment_name: string | null, lora_id: string | null) => ({ deployment_name, lora_id });

describe('shortModel', () => {
  it('[C9.16] cuts a name after 20 characters', () => {
    expect(shortModel(model('fanvas/juno-abara-geometric-v2', null))).toBe('fanvas/juno-abara-ge...');
    expect(shortModel(model('fanvas/exactly-20-ch', null))).toBe('fanvas/exactly-20-ch');
  });

  it('falls back to the LoRA id, then to Not set', () => {
    expect(shortModel(model(null, 'lora-7'))).toBe('lora-7');
    expect(shortModel(model('', 'lora-7'))).toBe('lora-7');
    expect(shortModel(model(null, null))).toBe('Not set');
    expect(modelOf(model(null, null))).toBeNull();
  });
});
