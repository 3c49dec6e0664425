import type { ClerkProviderProps } from '@clerk/react';
import { loadClerkUIScript } from '@clerk/shared/loadClerkJsScript';
import { fanvasConfig } from '../../lib/config.js';

type Widgets = Exclude<NonNullable<NonNullable<ClerkProviderProps['ui']>['ClerkUI']>, Promise<unknown>>;
type Instance = InstanceType<Widgets>;
type Controls = Awaited<ReturnType<Instance['ensureMounted']>>;
type MountOptions = Parameters<Instance['ensureMounted']>[0];

declare global {
  interface Window {
    /** Set by the SDK's script of widgets. */
    __internal_ClerkUICtor?: Widgets;
  }
}

let loading: Promise<Widgets> | null = null;

/** Loads the SDK's script of widgets, once. After a failure, the next call tries again. @throws the SDK's error */
export function loadWidgets(): Promise<Widgets> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Widgets> {
  const { clerkPublishableKey, clerkProxyUrl, styleNonce } = fanvasConfig();
  await loadClerkUIScript({
    publishableKey: clerkPublishableKey,
    ...(clerkProxyUrl ? { proxyUrl: clerkProxyUrl } : {}),
    nonce: styleNonce,
  });
  const widgets = window.__internal_ClerkUICtor;
  if (!widgets) throw new Error('The script of the widgets defined none.');
  return widgets;
}

/**
 * Stands in for the SDK's widgets until the SDK shows the first one. Without it, the SDK would load them for every
 * visitor before it reports who is signed in.
 */
export class LazyWidgets implements Instance {
  static readonly version = '';
  readonly version = '';
  private readonly args: ConstructorParameters<Widgets>;
  private mounting: Promise<Controls> | null = null;
  private readonly controls: Controls = {
    mountComponent: (params) => this.show((widgets) => widgets.mountComponent(params)),
    openModal: (...params) => this.show((widgets) => widgets.openModal(...params)),
    openDrawer: (...params) => this.show((widgets) => widgets.openDrawer(...params)),
    prefetch: (component) => this.show((widgets) => widgets.prefetch(component)),
    mountImpersonationFab: () => this.show((widgets) => widgets.mountImpersonationFab()),
    unmountComponent: (params) => this.adjust((widgets) => widgets.unmountComponent(params)),
    updateProps: (params) => this.adjust((widgets) => widgets.updateProps(params)),
    closeModal: (...params) => this.adjust((widgets) => widgets.closeModal(...params)),
    closeDrawer: (...params) => this.adjust((widgets) => widgets.closeDrawer(...params)),
  };

  constructor(...args: ConstructorParameters<Widgets>) {
    this.args = args;
  }

  /** Returns controls that load the widgets when they show one. A hint names the widget that is shown next. */
  ensureMounted(options?: MountOptions): Promise<Controls> {
    if (options?.preloadHint !== undefined) this.mount(options).catch(report);
    return Promise.resolve(this.controls);
  }

  private mount(options?: MountOptions): Promise<Controls> {
    this.mounting ??= this.load(options);
    return this.mounting;
  }

  private async load(options?: MountOptions): Promise<Controls> {
    try {
      const RealWidgets = await loadWidgets();
      return await new RealWidgets(...this.args).ensureMounted(options);
    } catch (error) {
      this.mounting = null;
      throw error;
    }
  }

  private show(act: (widgets: Controls) => void): void {
    this.mount().then(act).catch(report);
  }

  /** Nothing to adjust before the first widget: it gets the current options of the SDK. */
  private adjust(act: (widgets: Controls) => void): void {
    this.mounting?.then(act).catch(report);
  }
}

function report(error: unknown): void {
  console.error('A form of the identity SDK could not be shown', error);
}
