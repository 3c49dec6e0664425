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

/** Attributes of an element that shows a text of a person. */
export interface TextAttributes {
  readonly dir: 'auto';
  /** Absent where the script is used by many languages. */
  readonly lang?: string;
}

/** The direction of a text follows its first strong letter; its language is set where its script belongs to one. */
export function textAttributes(text: string): TextAttributes {
  const language = SCRIPTS.find(([script]) => script.test(text))?.[1];
  return language === undefined ? { dir: 'auto' } : { dir: 'auto', lang: language };
}
