import { describe, expect, it } from '@jest/globals';
import { authorizedParties } from './session-tokens.js';

describe('authorizedParties', () => {
  const config = { publicUrl: 'https://fanvas.example/', port: 3000 };

  it('accepts only the public origin when the identity provider is real', () => {
    expect(authorizedParties(config, false)).toEqual(['https://fanvas.example']);
  });

  it('accepts the loopback names at the app port when the sandbox runs', () => {
    expect(authorizedParties(config, true)).toEqual([
      'https://fanvas.example',
      'http://localhost:3000',
      'http://127.0.0.1:3000',
    ]);
  });
});
