import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { shownToasts } from '../../../components/toast.js';
import { asFan, fakeServer, generation, messages, pass, renderPage, onPage } from '../../../../test/page.js';
import { rememberRunning, runningPath } from '../navigation.js';
import { FinishWatch } from './finish-watch.js';

const PATH = '/junoabara/generate/g1';
let shown: string[] = [];

class FakeNotification {
  static permission: NotificationPermission = 'granted';
  constructor(title: string) {
    shown.push(title);
  }
}

onPage(() => {
  shown = [];
  Object.assign(window, { Notification: FakeNotification });
  fakeServer({ get_generation_by_id: generation({ id: 'g1', status: 'completed' }) });
  rememberRunning(PATH);
});
afterEach(() => void Reflect.deleteProperty(window, 'Notification'));

describe('FinishWatch', () => {
  const watch = async (permission: NotificationPermission, state: DocumentVisibilityState): Promise<void> => {
    FakeNotification.permission = permission;
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    await renderPage(<FinishWatch onCreditsChange={() => undefined} />);
    await pass(100);
  };

  it('announces the end in the tab that the fan sees', async () => {
    await watch('granted', 'visible');
    expect([messages(), shown]).toEqual([['Your image is ready'], []]);
    expect(shownToasts()[0]).toMatchObject({ description: generation().prompt, isQuote: true });
    expect(runningPath()).toBeNull();
  });

  it('announces nothing to another person of this browser', async () => {
    asFan({ id: 'user_2' });
    await watch('granted', 'visible');
    expect([messages(), shown]).toEqual([[], []]);
    asFan();
    expect(runningPath()).toBe(PATH);
  });

  it('announces the end outside the tab when the fan does not see it', async () => {
    await watch('granted', 'hidden');
    expect([messages(), shown]).toEqual([[], ['Your image is ready']]);
    expect(runningPath()).toBeNull();
  });

  it('waits for the fan to see the tab when notifications are not allowed', async () => {
    await watch('default', 'hidden');
    expect([messages(), shown]).toEqual([[], []]);
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(100);
    expect([messages(), shown]).toEqual([['Your image is ready'], []]);
  });
});
