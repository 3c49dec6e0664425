import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MOBILE_BREAKPOINT_PX, NOT_MOBILE } from './use-media.js';

describe('[F9.09] MOBILE_BREAKPOINT_PX', () => {
  it('equals 640 px in the code and in the stylesheet', () => {
    const styles = readFileSync(join(process.cwd(), 'web/src/styles/main.css'), 'utf8');
    expect(MOBILE_BREAKPOINT_PX).toBe(640);
    expect(NOT_MOBILE).toBe('(min-width: 640px)');
    expect(styles).toContain(`--breakpoint-sm: ${MOBILE_BREAKPOINT_PX}px;`);
  });
});
