import { describe, expect, it } from '@jest/globals';
import type { PublicCreator } from '../../../../src/contract/gallery.js';
import { CREATOR } from '../../../test/rows.js';
import { creatorMatches, MAX_SUGGESTIONS } from './creator-matches.js';

const creator = (name: string, username: string, more: Partial<PublicCreator> = {}): PublicCreator => ({
  ...CREATOR,
  id: username,
  name,
  username,
  ...more,
});

const juno = creator('Juno Abara', 'junoabara');
const rafa = creator('Rafa Quill', 'quilldraws');
const away = creator('Junia Away', 'junia', { is_visible: false });
const found = (text: string): string[] => creatorMatches([juno, rafa, away], text).map(({ username }) => username);

describe('[F2.25, F2.26] creatorMatches', () => {
  it.each([
    ['JUNO', ['junoabara']],
    ['abara', ['junoabara']],
    ['Quill', ['quilldraws']],
    ['draws', ['quilldraws']],
    ['@quilld', ['quilldraws']],
    ['  juno   abara ', ['junoabara']],
    ['a', ['junoabara', 'quilldraws']],
    ['nobody', []],
    ['', []],
    ['@', []],
  ])('finds for %j: %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('finds creators by their style, after those whose name or username contains the text', () => {
    const paper = creator('Wren Castellane', 'wrencast', { style: 'Cut-paper botanicals' });
    const named = creator('Bo Paper', 'bo', { style: 'Paper lanterns' });
    const hidden = creator('Una Fold', 'una', { style: 'Paper birds', is_visible: false });
    const names = (text: string) => creatorMatches([paper, named, hidden, juno], text).map(({ username }) => username);
    expect(names('PAPER')).toEqual(['bo', 'wrencast']);
    expect(names('cut-paper b')).toEqual(['wrencast']);
    expect(names('null')).toEqual([]);
  });

  it('skips creators who are not visible', () => {
    expect(found('jun')).toEqual(['junoabara']);
  });

  it('[F9.07] returns five at most', () => {
    const many = Array.from({ length: 9 }, (_, index) => creator(`Juno ${index}`, `juno${index}`));
    expect(MAX_SUGGESTIONS).toBe(5);
    expect(creatorMatches(many, 'juno').map(({ username }) => username)).toEqual([
      'juno0',
      'juno1',
      'juno2',
      'juno3',
      'juno4',
    ]);
  });

  it.each(["juno'", 'juno --', 'select juno', '<script>juno', 'juno onclick=x'])(
    '[F2.28] returns none for the suspicious text %j',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  it('[F2.28] searches with the sanitised text', () => {
    expect(found('juno;')).toEqual(['junoabara']);
    expect(found('<b>juno</b>')).toEqual(['junoabara']);
  });
});
