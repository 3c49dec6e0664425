import { describe, expect, it } from '@jest/globals';
import { codeLines } from '../../scripts/lib/size.mjs';

describe('codeLines', () => {
  it('counts no comments, blank lines and lone brackets', () => {
    const text = [
      '/** One line. */',
      'const pattern = "src/**/*.ts"; // with a remark',
      '',
      '/**',
      ' * Several lines.',
      ' */',
      'call({',
      '  a,',
      '});',
      '// A remark.',
      '{/* In a page. */}',
      '  </>',
    ].join('\n');
    expect(codeLines(text)).toBe(3);
  });
});
