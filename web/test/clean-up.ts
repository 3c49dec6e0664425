/** Removes what a test has rendered. Testing Library does it for the first spec of a worker only. */
import { afterEach } from '@jest/globals';
import { cleanup } from '@testing-library/react';

afterEach(cleanup);
