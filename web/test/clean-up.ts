/** Runs before each spec of the web app, because packages are loaded once a worker. */
import { afterEach, beforeAll } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
import '@testing-library/react/dont-cleanup-after-each.js';
import { cleanup } from '@testing-library/react';
import { noteNames, translationFaults, watchTexts } from './translated-page.js';

// An earlier spec may have ended offline.
beforeAll(() => onlineManager.setOnline(true));

afterEach(() => {
  noteNames();
  // Testing Library would do it before, in the first spec of a worker only.
  cleanup();
});

// A browser may translate any page (README, Translated pages).
beforeAll(watchTexts);
afterEach(() => {
  const faults = translationFaults();
  if (faults.length > 0) throw new Error(faults.join('\n'));
});
