import { describe, expect, it } from '@jest/globals';
import { render } from '@testing-library/react';
import { Name, Named } from './name.js';

/** The texts of a page that a program may translate, and those that it must leave. */
function shown(element: React.ReactNode): { readonly text: string | null; readonly kept: readonly string[] } {
  const { container } = render(element);
  return {
    text: container.textContent,
    kept: [...container.querySelectorAll('[translate=no]')].map((e) => e.innerHTML),
  };
}

describe('Name', () => {
  it('keeps a name in a sentence from translation', () => {
    expect(
      shown(
        <p>
          Back to <Name>Juno Abara</Name>
        </p>,
      ),
    ).toEqual({ text: 'Back to Juno Abara', kept: ['Juno Abara'] });
  });
});

describe('Named', () => {
  it.each([
    ['Fan art with June', 'June', ['June']],
    ['June is taking a break.', 'June', ['June']],
    ['June', 'June', ['June']],
    ['Purchase of June', undefined, []],
    ['Purchase of June', '', []],
    ['Purchase of 250 credits', 'June', []],
    ['Rui approved June Rui (2)', ['Rui', null, 'June Rui (2)'], ['Rui', 'June Rui (2)']],
  ])('shows the text as it is, and keeps the name in it from translation: %s, %s', (text, name, kept) => {
    expect(shown(<Named text={text} name={name} />)).toEqual({ text, kept });
  });
});
