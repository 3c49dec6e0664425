import { afterEach, describe, expect, it } from '@jest/globals';
import { startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { beginFirstDraw, endFirstDraw, neverChanges, useBrowserValue } from './first-draw.js';

// Updates run as in a browser: `act` would run them all at once.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });

describe('useBrowserValue', () => {
  let root: Root | undefined;
  const container = document.createElement('div');
  const Value = ({ read, onEffect }: { read: () => string; onEffect?: () => void }): React.ReactNode => {
    useEffect(() => onEffect?.(), [onEffect]);
    return <p>{useBrowserValue(neverChanges, read, 'drawn')}</p>;
  };
  /** Resolves when the container has this text. */
  const shown = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (container.textContent !== text) return;
        watch.disconnect();
        resolve();
      };
      const watch = new MutationObserver(look);
      watch.observe(container, { childList: true, characterData: true, subtree: true });
      look();
    });

  afterEach(() => {
    root?.unmount();
    endFirstDraw();
    container.replaceChildren();
  });

  it('shows what the server has drawn until the task of the hydration has ended, and then the own value', async () => {
    container.innerHTML = '<p>drawn</p>';
    beginFirstDraw({ hydrates: true });
    const afterEffects = new Promise<string | null>((resolve) => {
      // An update that React does not put off is done when the microtasks run.
      const onEffect = (): void => queueMicrotask(() => resolve(container.textContent));
      startTransition(() => {
        root = hydrateRoot(container, <Value read={() => 'own'} onEffect={onEffect} />);
      });
    });
    expect(await afterEffects).toBe('drawn');
    await shown('own');
  });

  it('shows the own value at once on a page that the browser draws', async () => {
    const texts: (string | null)[] = [];
    root = createRoot(container);
    await new Promise<void>((resolve) => {
      const onEffect = (): void => {
        texts.push(container.textContent);
        resolve();
      };
      root?.render(<Value read={() => 'own'} onEffect={onEffect} />);
    });
    expect(texts).toEqual(['own']);
  });
});
