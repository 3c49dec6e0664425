import { useBrowserValue } from './first-draw.js';
import { createListeners } from './listeners.js';
import { localStore } from './storage.js';

const OFF_KEY = 'fanvas.keys-off';

const { subscribe, notify } = createListeners();

/** Whether shortcuts of one character are turned off in this browser (WCAG 2.1.4). */
export function singleKeysOff(): boolean {
  return localStore.get(OFF_KEY) === '1';
}

/** {@link singleKeysOff} for components, and a function that changes it. */
export function useSingleKeysOff(): readonly [boolean, (off: boolean) => void] {
  return [useBrowserValue(subscribe, singleKeysOff, false), turnSingleKeysOff];
}

function turnSingleKeysOff(value: boolean): void {
  if (value) localStore.set(OFF_KEY, '1');
  else localStore.remove(OFF_KEY);
  notify();
}
