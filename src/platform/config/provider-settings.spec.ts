import { describe, expect, it } from '@jest/globals';
import { type Config } from './config.js';
import { providerSettings, type SandboxSettings } from './provider-settings.js';

const KEYS = {
  clerk: { secretKey: 'sk_test_real', publishableKey: 'pk_test_real' },
  replicate: { apiToken: 'r8_real', webhookSecret: null },
  stripe: { secretKey: 'sk_live_real', webhookSecret: null },
} as unknown as Pick<Config, 'clerk' | 'replicate' | 'stripe'>;
const SANDBOXES = {
  clerk: { secretKey: 'sk_test_sandbox' },
  replicate: { apiToken: 'sandbox', outputHosts: ['127.0.0.1:3000'] },
  stripe: { secretKey: 'sk_test_sandbox' },
} as unknown as Required<SandboxSettings>;
const NO_KEYS = { clerk: null, replicate: null, stripe: null } as unknown as typeof KEYS;

describe('providerSettings', () => {
  it.each(['clerk', 'replicate', 'stripe'] as const)('says that %s alone is a sandbox', (name) => {
    const settings = providerSettings({ ...KEYS, [name]: null }, { [name]: SANDBOXES[name] });
    expect(settings.sandboxes).toEqual({ clerk: false, replicate: false, stripe: false, [name]: true });
    expect(settings[name]).toBe(SANDBOXES[name]);
  });

  it('fetches the outputs of Replicate from its own hosts', () => {
    expect(providerSettings(KEYS, {}).replicate).toEqual({
      apiToken: 'r8_real',
      webhookSecret: null,
      outputHosts: ['replicate.delivery', '*.replicate.delivery'],
    });
  });

  it.each(['clerk', 'replicate', 'stripe'] as const)('refuses %s without keys and without a sandbox', (name) => {
    const { [name]: _left, ...others } = SANDBOXES;
    expect(() => providerSettings(NO_KEYS, others)).toThrow('A provider has neither keys nor a sandbox.');
  });
});
