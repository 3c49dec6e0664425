import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, useEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { beginFirstDraw, endFirstDraw, useHydrated } from '../lib/first-draw.js';
import { keepEarlyInput } from './early-input.js';

function Form({ onReady }: { readonly onReady?: () => void }): React.ReactNode {
  const [text, setText] = useState('');
  const [sent, setSent] = useState('nothing');
  useEffect(() => onReady?.(), [onReady]);
  return (
    <form>
      <textarea aria-label="Prompt" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={() => setSent(text)}>
        Send
      </button>
      <output>{sent}</output>
    </form>
  );
}

describe('keepEarlyInput', () => {
  afterEach(() => {
    jest.useRealTimers();
    endFirstDraw();
    document.body.replaceChildren();
  });

  it('repeats the typed text and the press of a button when the drawn page is hydrated', async () => {
    const root = document.body.appendChild(document.createElement('div'));
    root.innerHTML =
      '<form><textarea aria-label="Prompt"></textarea><button type="button">Send</button><output>nothing</output></form>';
    const early = keepEarlyInput(root);
    const field = root.querySelector('textarea')!;
    const button = root.querySelector('button')!;
    field.value = 'A fox';
    const click = new MouseEvent('click', { bubbles: true, cancelable: true });
    button.dispatchEvent(click);
    expect(click.defaultPrevented).toBe(true);

    early.beforeHydration();
    expect(field.value).toBe('');
    jest.useFakeTimers();
    const page = await act(async () => hydrateRoot(root, <Form onReady={early.onReady} />));
    act(() => jest.runAllTimers());
    expect(field.value).toBe('A fox');
    expect(root.querySelector('output')?.textContent).toBe('A fox');

    const later = new MouseEvent('click', { bubbles: true, cancelable: true });
    root.querySelector('output')!.dispatchEvent(later);
    expect(later.defaultPrevented).toBe(false);
    await act(async () => page.unmount());
  });

  describe('press during hydration', () => {
    const onDrawnPress = jest.fn();
    const onBarPress = jest.fn();

    function Page({ onReady }: { readonly onReady: () => void }): React.ReactNode {
      const bar = useHydrated();
      useEffect(() => onReady(), [onReady]);
      return (
        <main>
          <button type="button" aria-label="Report" onClick={onDrawnPress} />
          {bar && (
            <button type="button" aria-label="Create" onClick={onBarPress}>
              <span />
            </button>
          )}
        </main>
      );
    }

    const point = (type: string, target: Element, clientX: number): void => {
      const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX, clientY: 800 });
      act(() => void target.dispatchEvent(event));
    };

    let root: HTMLElement;
    let hydrate: (meanwhile?: () => void) => Promise<void>;
    beforeEach(() => {
      onDrawnPress.mockClear();
      onBarPress.mockClear();
      root = document.body.appendChild(document.createElement('div'));
      root.innerHTML = '<main><button type="button" aria-label="Report"></button></main>';
      const early = keepEarlyInput(root);
      beginFirstDraw({ hydrates: true });
      hydrate = async (meanwhile) => {
        early.beforeHydration();
        meanwhile?.();
        jest.useFakeTimers();
        await act(async () => void hydrateRoot(root, <Page onReady={early.onReady} />));
        act(() => jest.runAllTimers());
      };
    });
    const button = (name: string): Element => root.querySelector(`[aria-label=${name}]`)!;
    const main = (): Element => root.querySelector('main')!;

    it('counts a press that began before hydration for the button on which it began', async () => {
      point('pointerdown', button('Report'), 50);
      await hydrate();
      // The pointer is let go over the bar: browsers send the click to the parent of both.
      point('click', main(), 50);
      expect(onDrawnPress).toHaveBeenCalledTimes(1);
      point('click', main(), 50);
      point('click', button('Create'), 50);
      expect([onDrawnPress.mock.calls.length, onBarPress.mock.calls.length]).toEqual([1, 1]);
    });

    it('presses the button once when it is still under the pointer', async () => {
      point('pointerdown', button('Report'), 50);
      await hydrate();
      point('click', button('Report'), 50);
      expect(onDrawnPress).toHaveBeenCalledTimes(1);
    });

    it('presses nothing when the pointer has left the button', async () => {
      point('pointerdown', button('Report'), 50);
      await hydrate();
      point('click', main(), 90);
      expect(onDrawnPress).not.toHaveBeenCalled();
    });

    it('leaves a press that begins after hydration to the page', async () => {
      point('pointerdown', button('Report'), 50);
      await hydrate();
      point('pointerdown', button('Create'), 50);
      point('click', button('Create'), 50);
      expect([onDrawnPress.mock.calls.length, onBarPress.mock.calls.length]).toEqual([0, 1]);
    });

    it('repeats an earlier press, and keeps the one that has begun', async () => {
      point('click', button('Report'), 50);
      point('pointerdown', button('Report'), 50);
      await hydrate();
      expect(onDrawnPress).toHaveBeenCalledTimes(1);
      point('click', main(), 50);
      expect(onDrawnPress).toHaveBeenCalledTimes(2);
    });

    it('keeps a press until the page is ready, also while it is being hydrated', async () => {
      await hydrate(() => point('click', button('Report'), 50));
      expect(onDrawnPress).toHaveBeenCalledTimes(1);
    });
  });
});
