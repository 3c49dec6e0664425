import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { accessibilityFaults, generation, renderPage, onPage, nextPage } from '../../../test/page.js';
import { PendingSide } from './components/generation-side.js';
import { canNotify, endText, notifyOfEnd } from './end-notification.js';
import { toShownGeneration } from './generation-view.js';

interface Shown {
  readonly title: string;
  readonly options: NotificationOptions;
  onclick: (() => void) | null;
}

let shown: Shown[] = [];
let answer: NotificationPermission = 'granted';

class FakeNotification implements Shown {
  static permission: NotificationPermission = 'default';
  static requestPermission = (): Promise<NotificationPermission> => {
    FakeNotification.permission = answer;
    return Promise.resolve(answer);
  };
  onclick: (() => void) | null = null;
  readonly close = jest.fn();

  constructor(
    readonly title: string,
    readonly options: NotificationOptions,
  ) {
    shown.push(this);
  }
}

const tabIs = (state: DocumentVisibilityState): void => {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
};
const COMPLETED = generation({ status: 'completed', creator_name: 'Juno Abara', prompt: 'a red fox' });

onPage(() => {
  shown = [];
  FakeNotification.permission = 'default';
  Object.assign(window, { Notification: FakeNotification });
});
afterEach(() => void Reflect.deleteProperty(window, 'Notification'));

describe('notifyOfEnd', () => {
  it('shows a notification without the prompt when the fan has allowed it and does not see the tab', () => {
    FakeNotification.permission = 'granted';
    tabIs('hidden');
    expect(notifyOfEnd(COMPLETED, () => undefined)).toBe(true);
    expect(shown).toMatchObject([
      { title: 'Your image is ready', options: { body: 'In the style of Juno Abara', tag: COMPLETED.id } },
    ]);
    expect(JSON.stringify(shown)).not.toContain('red fox');
  });

  it('opens the page of the image when the fan presses the notification', () => {
    FakeNotification.permission = 'granted';
    tabIs('hidden');
    const open = jest.fn();
    const focus = jest.spyOn(window, 'focus').mockReturnValue();
    notifyOfEnd(COMPLETED, open);
    shown[0]?.onclick?.();
    expect(open).toHaveBeenCalledTimes(1);
    expect(focus).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['the fan sees the tab', 'granted', 'visible'],
    ['the fan was not asked', 'default', 'hidden'],
    ['the fan refused', 'denied', 'hidden'],
  ] as const)('shows nothing when %s', (_, permission, state) => {
    FakeNotification.permission = permission;
    tabIs(state);
    expect(canNotify()).toBe(false);
    expect(notifyOfEnd(COMPLETED, () => undefined)).toBe(false);
    expect(shown).toEqual([]);
  });

  it('reports that nothing was shown where only service workers may notify', () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    class OfWorkers {
      static permission = 'granted';
      constructor() {
        throw new TypeError('Illegal constructor.');
      }
    }
    Object.assign(window, { Notification: OfWorkers });
    tabIs('hidden');
    expect(notifyOfEnd(COMPLETED, () => undefined)).toBe(false);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe('endText', () => {
  it('has nothing for a generation that runs or was cancelled', () => {
    expect(endText(generation({ status: 'pending' }))).toBeNull();
    expect(endText(generation({ status: 'failed', cancelled: true }))).toBeNull();
  });

  it('cuts long prompts without splitting an emoji', () => {
    const text = endText(generation({ status: 'completed', prompt: '🦊'.repeat(200) }))?.description;
    expect(text).toBe(`${'🦊'.repeat(119)}…`);
  });
});

describe('PendingSide', () => {
  const render = (): Promise<unknown> =>
    renderPage(<PendingSide view={toShownGeneration(generation({ status: 'pending' }), 0)} cost={10} />);
  const press = async (): Promise<void> => {
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Notify me when it is ready' }));
      await Promise.resolve();
    });
  };

  it('asks for notifications only when the fan presses it, and keeps the focus', async () => {
    const ask = jest.spyOn(FakeNotification, 'requestPermission');
    answer = 'granted';
    await render();
    expect(ask).not.toHaveBeenCalled();
    await press();
    expect(document.activeElement?.textContent).toBe('You will be notified when it is ready.');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says that the browser does not allow them after a refusal', async () => {
    answer = 'denied';
    await render();
    await press();
    expect(document.activeElement?.textContent).toBe('Your browser does not allow notifications of this site.');
  });

  it('offers nothing where the browser has no notifications, and says nothing about an old refusal', async () => {
    FakeNotification.permission = 'denied';
    await render();
    expect(screen.queryByText(/notif/i)).toBeNull();
    nextPage();
    Reflect.deleteProperty(window, 'Notification');
    await render();
    expect(screen.queryByText(/notif/i)).toBeNull();
  });
});
