/** Settings that the server puts into the page, in `<script id="fanvas-config">`. */
export interface FanvasConfig {
  readonly clerkPublishableKey: string;
  /** Same-origin path of the identity sandbox, or null with a real Clerk instance. */
  readonly clerkProxyUrl: string | null;
  /** Style elements need it: the policy of the page allows no others. */
  readonly styleNonce: string;
  /** True while any provider is a local sandbox. */
  readonly sandbox: boolean;
  readonly demo: DemoAccess | null;
}

export interface DemoAccess {
  readonly password: string;
  readonly emailCode: string;
  readonly accounts: readonly { readonly email: string; readonly role: string }[];
}

function read(): FanvasConfig {
  const text = document.getElementById('fanvas-config')?.textContent;
  if (!text) throw new Error('The page came without its settings (fanvas-config). Reload it, or restart the server.');
  return JSON.parse(text) as FanvasConfig;
}

let config: FanvasConfig | undefined;

/** The settings of this page. @throws when the page does not contain them */
export function fanvasConfig(): FanvasConfig {
  config ??= read();
  return config;
}
