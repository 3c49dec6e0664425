import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type * as Lazy from './lazy-widgets.js';

type Script = NonNullable<Window['__internal_ClerkUICtor']>;

const CONFIG = { clerkPublishableKey: 'pk_test_Y2xlcmsuZXhhbXBsZS5jb20k', clerkProxyUrl: null, styleNonce: 'n' };

describe('LazyWidgets', () => {
  let lazy: typeof Lazy;
  /** Calls of the SDK's script, in order. */
  let acts: string[];

  /** The SDK's script has loaded. */
  const scriptLoads = (): void => {
    const note =
      (act: string) =>
      (...params: unknown[]): void =>
        void acts.push(`${act} ${JSON.stringify(params)}`);
    const controls = Object.fromEntries(
      ['mountComponent', 'unmountComponent', 'updateProps', 'openModal', 'closeModal'].map((act) => [act, note(act)]),
    );
    window.__internal_ClerkUICtor = class {
      static readonly version = '1';
      readonly version = '1';
      constructor() {
        acts.push('new');
      }
      ensureMounted(options?: object): Promise<object> {
        acts.push(`ensureMounted ${JSON.stringify(options ?? null)}`);
        return Promise.resolve(controls);
      }
    } as unknown as Script;
  };
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const widgets = (): Lazy.LazyWidgets =>
    new lazy.LazyWidgets(
      () => undefined as never,
      () => null,
      {},
      undefined as never,
    );

  beforeEach(async () => {
    acts = [];
    document.body.innerHTML = `<script id="fanvas-config" type="application/json">${JSON.stringify(CONFIG)}</script>`;
    jest.resetModules();
    lazy = await import('./lazy-widgets.js');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    Reflect.deleteProperty(window, '__internal_ClerkUICtor');
  });

  it('loads nothing for the updates that the SDK sends at its start', async () => {
    scriptLoads();
    const controls = await widgets().ensureMounted();
    controls.updateProps({});
    controls.closeModal('userVerification');
    await settled();
    expect(acts).toEqual([]);
    expect(document.querySelector('script[src]')).toBeNull();
  });

  it('mounts the widgets once, for the first one that is shown, and passes everything on in order', async () => {
    scriptLoads();
    const shown = widgets();
    const controls = await shown.ensureMounted({ preloadHint: 'SignIn' });
    (await shown.ensureMounted()).openModal('userVerification', { level: 1 });
    controls.updateProps({ props: 1 });
    controls.closeModal('userVerification');
    await settled();
    expect(acts).toEqual([
      'new',
      'ensureMounted {"preloadHint":"SignIn"}',
      'openModal ["userVerification",{"level":1}]',
      'updateProps [{"props":1}]',
      'closeModal ["userVerification"]',
    ]);
  });

  it('reports a script that cannot be loaded, and tries again for the next widget', async () => {
    const error = jest.spyOn(console, 'error').mockReturnValue(undefined);
    document.body.innerHTML = '';
    const controls = await widgets().ensureMounted();
    controls.openModal('userVerification');
    await settled();
    expect(error).toHaveBeenCalledTimes(1);
    expect(acts).toEqual([]);

    document.body.innerHTML = `<script id="fanvas-config" type="application/json">${JSON.stringify(CONFIG)}</script>`;
    scriptLoads();
    controls.openModal('userVerification');
    await settled();
    expect(acts).toContain('openModal ["userVerification"]');
  });
});
