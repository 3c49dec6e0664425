/** Runs before each spec of the web app, because packages are loaded once a worker. */
import { afterEach, beforeAll } from '@jest/globals';
import { onlineManager } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';

// An earlier spec may have ended offline.
beforeAll(() => onlineManager.setOnline(true));

// Testing Library removes what a test has rendered by itself in the first spec of a worker only.
afterEach(cleanup);
