import { useBrowserValue } from '../../lib/first-draw.js';
import { createListeners } from '../../lib/listeners.js';
import type { GenerationView } from '../../../../src/contract/generation.js';
import { toShownGeneration } from './generation-view.js';

/** Longer descriptions are cut; in code points. */
const DESCRIPTION_LENGTH = 120;

/** The end of a generation in words: for a message on another page, and for a notification outside the tab. */
export interface EndText {
  readonly title: string;
  readonly description: string;
  readonly completed: boolean;
}

/** Returns null when there is nothing to announce: the generation still runs, or its fan has cancelled it. */
export function endText(row: GenerationView): EndText | null {
  const { state, pending, headline, creditsNote } = toShownGeneration(row, 0);
  if (pending || state === 'cancelled') return null;
  return { title: headline, description: shortened(creditsNote ?? row.prompt), completed: state === 'completed' };
}

/** Cuts between code points, so that no emoji is split. */
function shortened(text: string): string {
  const letters = [...text];
  if (letters.length <= DESCRIPTION_LENGTH) return text;
  return `${letters
    .slice(0, DESCRIPTION_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}

/** True when the fan does not see this tab, and has allowed notifications. */
export function canNotify(): boolean {
  return document.visibilityState !== 'visible' && readPermission() === 'granted';
}

/**
 * Notifies the fan outside the tab that a generation has ended. Does nothing unless `canNotify`.
 * @param open opens the image's page in this tab
 * @returns false when the browser has shown nothing
 */
export function notifyOfEnd(row: GenerationView, open: () => void): boolean {
  const text = endText(row);
  if (!text || !canNotify()) return false;
  try {
    // The prompt stays in the page: notifications are also shown on locked screens.
    const notification = new Notification(text.title, {
      body: text.completed ? `In the style of ${row.creator_name}` : text.description,
      icon: '/icons/192.png',
      tag: row.id,
    });
    notification.onclick = () => {
      notification.close();
      window.focus();
      open();
    };
    return true;
  } catch (error) {
    // Some browsers of phones allow notifications to service workers only.
    console.warn('The browser shows no notification of a page', error);
    return false;
  }
}

/** The fan's choice about notifications. Nothing is asked until the fan presses something. */
export interface NotificationChoice {
  /** 'unsupported' where browsers have no notifications of pages; 'default' until the fan has been asked. */
  readonly permission: NotificationPermission | 'unsupported';
  /** Shows the browser's question, and resolves when it is answered. Call it from a press only. */
  readonly ask: () => Promise<void>;
}

export function useNotificationChoice(): NotificationChoice {
  const permission = useBrowserValue(subscribe, readPermission, 'unsupported');
  return { permission, ask: askForPermission };
}

async function askForPermission(): Promise<void> {
  try {
    await Notification.requestPermission();
  } catch (error) {
    console.warn('Notifications could not be asked for', error);
  }
  changes.notify();
}

const changes = createListeners();

function subscribe(listener: () => void): () => void {
  const unsubscribe = changes.subscribe(listener);
  // The fan may have changed the setting of the site meanwhile.
  document.addEventListener('visibilitychange', listener);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', listener);
  };
}

function readPermission(): NotificationPermission | 'unsupported' {
  return 'Notification' in window && hasPageNotifications() ? Notification.permission : 'unsupported';
}

/**
 * Chrome on Android has `Notification`, but its constructor throws outside of service workers.
 * https://developer.mozilla.org/en-US/docs/Web/API/Notification/Notification
 */
function hasPageNotifications(): boolean {
  return !/\bAndroid\b/.test(navigator.userAgent);
}
