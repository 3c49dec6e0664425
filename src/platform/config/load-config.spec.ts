import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';

const clerkKeys = { CLERK_PUBLISHABLE_KEY: 'pk_test_a', CLERK_SECRET_KEY: 'sk_test_a' };
const allKeys = { ...clerkKeys, REPLICATE_API_TOKEN: 'r8_a' };

describe('loadConfig', () => {
  it('runs everything locally when nothing is set', () => {
    const config = loadConfig({}, '/srv/fanvas');
    expect(config).toEqual({
      production: false,
      host: 'localhost',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      trustProxy: false,
      dataDir: '/srv/fanvas/.data',
      databaseUrl: null,
      logLevel: 'warn',
      clerk: null,
      replicate: null,
      sandbox: { demo: 'full', drawMs: 2400 },
      faultPoint: null,
    });
  });

  it('derives the public address from the port', () => {
    expect(loadConfig({ PORT: '4100' }, '/').publicUrl).toBe('http://localhost:4100');
  });

  it('treats empty values as absent', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ' }, '/').port).toBe(3000);
  });

  it('listens on every interface once all providers have keys', () => {
    expect(loadConfig(allKeys, '/').host).toBe('0.0.0.0');
  });

  it.each([
    [{ PORT: 'http' }, "PORT must be a whole number from 1 to 65535; it is 'http'."],
    [{ PORT: '70000' }, 'PORT must be a whole number'],
    [{ PORT: '0' }, 'PORT must be a whole number'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be one of true, false'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ PUBLIC_URL: 'fanvas.example' }, 'PUBLIC_URL must be an origin'],
    [{ PUBLIC_URL: 'https://fanvas.example/app' }, 'PUBLIC_URL must be an origin'],
    [{ DATABASE_URL: 'mysql://localhost/fanvas' }, 'DATABASE_URL must look like'],
    [{ HOST: '0.0.0.0' }, 'the app listens on loopback only'],
    [{ CLERK_SECRET_KEY: 'sk_test_a' }, 'belong together'],
    [{ ...clerkKeys, CLERK_SECRET_KEY: 'pk_test_a' }, 'CLERK_SECRET_KEY must start with'],
    [{ ...clerkKeys, CLERK_WEBHOOK_SECRET: 'abc' }, 'CLERK_WEBHOOK_SECRET must start with whsec_'],
    [{ REPLICATE_WEBHOOK_SECRET: 'whsec_a' }, 'without REPLICATE_API_TOKEN'],
    [{ NODE_ENV: 'production' }, 'these have none: Clerk, Replicate.'],
    [{ NODE_ENV: 'production', ...clerkKeys }, 'these have none: Replicate.'],
    [{ NODE_ENV: 'production', ...allKeys }, 'PUBLIC_URL must say where'],
    [{ STRIPE_SECRET_KEY: 'sk_live_a' }, 'refusing to mix'],
    [{ SANDBOX_DEMO: 'big' }, 'SANDBOX_DEMO must be one of'],
    [{ SANDBOX_DRAW_MS: '-1' }, 'SANDBOX_DRAW_MS must be a whole number'],
    [{ FANVAS_FAULT_POINT: 'Bad Name' }, 'FANVAS_FAULT_POINT must look like'],
    [
      { NODE_ENV: 'production', ...allKeys, PUBLIC_URL: 'https://a.example', FANVAS_FAULT_POINT: 'a.b' },
      'refused in production',
    ],
  ])('stops with a sentence on %j', (environment, sentence) => {
    expect(() => loadConfig(environment, '/')).toThrow(ConfigError);
    expect(() => loadConfig(environment, '/')).toThrow(sentence);
  });

  it('never repeats a secret in its sentences', () => {
    const secret = 'oops-this-is-secret';
    for (const name of ['CLERK_SECRET_KEY', 'CLERK_WEBHOOK_SECRET', 'DATABASE_URL', 'REPLICATE_WEBHOOK_SECRET']) {
      try {
        loadConfig({ ...allKeys, [name]: secret }, '/');
        throw new Error(`${name} was accepted`);
      } catch (error) {
        expect(String(error)).toContain(name);
        expect(String(error)).not.toContain(secret);
      }
    }
  });
});
