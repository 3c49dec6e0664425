import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leastTime } from '../../../test/support/least-time.js';
import { PROMPT_MAX_LENGTH } from '../../contract/limits.js';
import { sanitisePrompt } from './sanitise-prompt.js';

describe('[F5.01] sanitisePrompt', () => {
  it.each([
    ['A fox in the snow', 'A fox in the snow'],
    ['  A   fox\n\tin  the snow ', 'A fox in the snow'],
    ['A <b>red</b> fox', 'A red fox'],
    ['<p style="color:red" class="x">A fox</p>', 'A fox'],
    ['A fox<script>alert("x < y")</script> in snow', 'A fox in snow'],
    ['A fox<STYLE type="text/css">p { color: red }</style > in snow', 'A fox in snow'],
    ['A fox<script>alert(1)', 'A fox'],
    ['A <xstyle>fox</style> in snow', 'A fox in snow'],
    ['A<!-- <b> hidden > --> fox', 'A fox'],
    ['A<!-- > --> fox<!-- > --> cub', 'A fox cub'],
    ['A <!-- red> fox', 'A fox'],
    ['A <b>red</b> fox --> cub', 'A red fox --> cub'],
    ['A <a href="x> fox', 'A fox'],
    ['A <img alt="a > b" src=x onerror="alert(1)"> fox', 'A fox'],
    ["A <img alt='a > b'> fox", 'A fox'],
    ['A <b "> red " fox > cub', 'A red " fox > cub'],
    ['<<b>script>alert(1)<</b>/script>', '< script>alert(1)< /script>'],
    ['one<br>two<br/>three', 'one two three'],
    ["I <3 foxes & O'Brien, 1 < 2 > 0", "I <3 foxes & O'Brien, 1 < 2 > 0"],
    ['a fox <and its cub', 'a fox and its cub'],
    ['[[nsfw]] a fox', '[[nsfw]] a fox'],
    ['a\u0000 fox\u202e', 'a fox'],
    ['a\u2066 red\u2067 fox\u2068 in\u2069 snow', 'a red fox in snow'],
    ['<\u0000b>fox</b>', 'fox'],
    ['half \ud83d a pair', 'half a pair'],
    ['🦊 im Schnee', '🦊 im Schnee'],
  ])('turns %j into %j', (raw, text) => {
    expect(sanitisePrompt(raw)).toBe(text);
  });

  it.each([
    '',
    '   ',
    '<b></b>',
    '<script>alert(1)</script>',
    '</script><script>x',
    '<img src=x onerror=alert(1)>',
    '<!-- -->',
    '\u0000',
  ])('leaves nothing of %j', (raw) => {
    expect(sanitisePrompt(raw)).toBe('');
  });

  it('[F9.05] cuts to 1000 characters and keeps surrogate pairs whole', () => {
    expect(sanitisePrompt('a'.repeat(10_000))).toHaveLength(PROMPT_MAX_LENGTH);
    expect(sanitisePrompt('a'.repeat(999) + '🦊')).toBe('a'.repeat(999));
    expect(sanitisePrompt('a'.repeat(999) + ' b')).toBe('a'.repeat(999));
  });

  const pieces = fc.constantFrom(
    '<',
    '>',
    '/',
    '!',
    '--',
    '"',
    "'",
    '=',
    ' ',
    'b',
    'script',
    'style',
    '<script',
    '-->',
  );
  const hostile = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  );

  it.each([
    ['joiners', '\u200b\u200c\u200d\u2060'],
    ['Hangul fillers', '\u3164 \u115f\u1160 \uffa0'],
    ['blank Braille', '\u2800\u2800'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['tag characters', '\u{e0041}\u{e007f}'],
    ['lone marks', '\u0301\u034f'],
    ['soft hyphens in a tag', '<b>\u00ad</b>'],
  ])('returns nothing for %s alone', (_, raw) => {
    expect(sanitisePrompt(raw)).toBe('');
  });

  it('keeps invisible characters that join visible ones', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    expect(sanitisePrompt(family)).toBe(family);
  });

  it('refuses ligatures that moderation would have to read at many times their length', () => {
    expect(sanitisePrompt('\ufdfa'.repeat(PROMPT_MAX_LENGTH))).toBe('');
    for (const letter of ['한', 'ệ', '\ufdfa a quiet lake at dawn with boats, ']) {
      const prompt = letter.repeat(PROMPT_MAX_LENGTH).slice(0, PROMPT_MAX_LENGTH).trim();
      expect(sanitisePrompt(prompt)).toBe(prompt);
    }
    // 177 ligatures of 18 letters and 814 letters are four times the longest prompt.
    const longest = '\ufdfa'.repeat(177) + 'a'.repeat(4 * PROMPT_MAX_LENGTH - 177 * 18);
    expect([sanitisePrompt(longest), sanitisePrompt(`${longest}a`)]).toEqual([longest, '']);
  });

  it('removes all tags from any text, and is idempotent', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const text = sanitisePrompt(raw);
        expect(text).not.toMatch(/<[a-z/!?]/i);
        expect(sanitisePrompt(text)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['<a', '<!--', '<a "', "<a x='", '<script>', '</script', '<style', ' \n', '<', '<script '])(
    'takes linear time on repetitions of %j',
    (piece) => {
      const short = piece.repeat(16_000);
      const long = piece.repeat(128_000);
      const time = leastTime(() => sanitisePrompt(short), { runs: 3 });
      // 8 times the text takes about 8 times the time in a linear pass, and 64 times in a quadratic one.
      const limit = 24 * time;
      expect(leastTime(() => sanitisePrompt(long), { runs: 6, enough: limit })).toBeLessThan(limit);
    },
  );
});
