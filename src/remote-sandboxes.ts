import { ConfigError } from './platform/config/config.js';
import { type Sandboxes, SANDBOXES_PATH, type SandboxesAnswer } from './platform/config/sandboxes.js';
import { forwardRequests } from './platform/http/forward-requests.js';

const ANSWER_MS = 5_000;

/** Sandboxes of all providers, in a process of their own. */
export type RemoteSandboxes = Sandboxes & Pick<SandboxesAnswer, 'settings'>;

/**
 * Asks the process at this address how to reach its sandboxes.
 * @throws ConfigError when it does not answer
 */
export async function connectSandboxes(url: string): Promise<RemoteSandboxes> {
  const { settings, demoAccounts, prefixes } = await ask(url);
  return {
    settings,
    demoAccounts,
    mount: async (server) => {
      for (const prefix of prefixes) await forwardRequests(server, prefix, url);
    },
    // The demo is made by an app that runs the sandboxes itself.
    seedDemo: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

async function ask(url: string): Promise<SandboxesAnswer> {
  try {
    const response = await fetch(`${url}${SANDBOXES_PATH}`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (!response.ok) throw new Error(`It answered ${response.status}.`);
    return (await response.json()) as SandboxesAnswer;
  } catch (error) {
    throw new ConfigError(
      `No sandboxes answer at ${url}: start them with npm run sandboxes, or remove SANDBOXES_URL.`,
      error,
    );
  }
}
