import { expect, it } from '@jest/globals';
import { modelIn } from './application-text.js';

const VERSION = 'a'.repeat(64);

it.each([
  [' fanvas/nadia-voss ', { name: 'fanvas/nadia-voss', p_deployment_name: 'fanvas/nadia-voss' }],
  [VERSION, { name: VERSION, p_lora_id: VERSION }],
  [`acme/nadia:${VERSION}`, { name: `acme/nadia:${VERSION}`, p_lora_id: `acme/nadia:${VERSION}` }],
])('reads the model %j', (typed, model) => {
  expect(modelIn(typed)).toEqual(model);
});
