import { describe, expect, it } from '@jest/globals';
import { readModel } from './model-reference.js';

const VERSION = '0123456789abcdef'.repeat(4);

describe('readModel', () => {
  it.each([
    ['fanvas/juno-v2', null, { deployment_name: 'fanvas/juno-v2', lora_id: null }],
    [' fanvas/juno ', '', { deployment_name: 'fanvas/juno', lora_id: null }],
    [undefined, VERSION, { deployment_name: null, lora_id: VERSION }],
    [null, `fanvas/juno:${VERSION}`, { deployment_name: null, lora_id: `fanvas/juno:${VERSION}` }],
  ])('reads deployment %j and version %j', (deployment, version, model) => {
    expect(readModel(deployment, version)).toEqual(model);
  });

  it.each([
    [null, null],
    [' ', ''],
    ['fanvas/juno', VERSION],
  ])('refuses %j with %j: exactly one must be given', (deployment, version) => {
    expect(() => readModel(deployment, version)).toThrow('exactly one model');
  });

  it.each(['juno', 'fanvas/', 'fanvas/juno/2', 'Fanvas/Juno', 'fanvas/ju no', 'https://x.test/fanvas/juno', '../juno'])(
    'refuses the deployment %j',
    (deployment) => {
      expect(() => readModel(deployment, null)).toThrow('owner/name');
    },
  );

  it.each(['lora', VERSION.slice(1), VERSION.toUpperCase(), `juno:${VERSION}`, `${VERSION}\n`.repeat(2)])(
    'refuses the version %j',
    (version) => {
      expect(() => readModel(null, version)).toThrow('64 hex digits');
    },
  );
});
