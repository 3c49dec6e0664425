import { describe, expect, it } from '@jest/globals';
import { textAttributes } from './text-language.js';

describe('textAttributes', () => {
  it.each([
    ['a fox on the last train', undefined],
    ['лиса в поезде', undefined],
    ['שועל אדום על הרכבת', 'he'],
    ['ثعلب أحمر في القطار', 'ar'],
    ['روباه قرمز در قطار', 'ar'],
    ['گربه‌ای زیر چتر', 'fa'],
    ['夜の海', 'ja'],
    ['夜晚的大海', 'zh'],
    ['밤바다', 'ko'],
    ['', undefined],
  ])('sets the direction by the first strong letter of "%s" and the language %s', (text, lang) => {
    expect(textAttributes(text)).toEqual({ dir: 'auto', translate: 'no', ...(lang === undefined ? {} : { lang }) });
  });
});
