/** Scripts that belong to one language, or that one language uses far more than others. */
const SCRIPTS: readonly (readonly [script: RegExp, language: string])[] = [
  [/[پچژگ]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Greek}/u, 'el'],
];

/** Attributes of an element that shows a prompt. */
export interface TextAttributes {
  readonly dir: 'auto';
  readonly translate: 'no';
  /** Absent where the script is used by many languages. */
  readonly lang?: string;
}

/**
 * The direction of a prompt follows its first strong letter; its language is set where its script belongs to one. A
 * program that translates the page leaves a prompt as it was written.
 */
export function textAttributes(text: string): TextAttributes {
  const language = SCRIPTS.find(([script]) => script.test(text))?.[1];
  return { dir: 'auto', translate: 'no', ...(language === undefined ? {} : { lang: language }) };
}
