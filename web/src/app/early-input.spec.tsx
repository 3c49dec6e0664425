/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, useEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
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
    document.body.replaceChildren();
  });

  it('repeats the typed text and the press of a button when the drawn page is hydrated', async () => {
    const root = document.body.appendChild(document.createElement('div'));
    root.innerHTML =
      '<form><textarea aria-label="Prompt"></textarea><button type="button">Send</button><output>nothing</output></form>';
    const early = keepEarlyInput(root);
    const [field, button] = [root.querySelector('textarea')!, root.querySelector('button')!];
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
});
