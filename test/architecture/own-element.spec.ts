import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import text from '../../scripts/eslint/own-element.mjs';

const CONFIG: Linter.Config[] = [
  {
    files: ['**/*.tsx'],
    languageOptions: { parser: tseslint.parser },
    plugins: { text },
    rules: { 'text/own-element': 'error' },
  },
];

/** The reports about a piece of JSX, and the repaired piece. */
function lint(jsx: string): { readonly reports: (string | undefined)[]; readonly fixed: string | undefined } {
  const code = `const label = on ? 'Hide' : 'Show';\nexport const view = (on, children, show) =>\n(${jsx});`;
  const linter = new Linter();
  return {
    reports: linter.verify(code, CONFIG, 'sample.tsx').map(({ messageId }) => messageId),
    fixed: linter.verifyAndFix(code, CONFIG, 'sample.tsx').output.split('\n')[2]?.slice(1, -2),
  };
}

describe('text/own-element', () => {
  it.each([
    ['<p>{on && "Hidden"} <b>picture</b></p>', '<p><span>{on && "Hidden"}</span> <b>picture</b></p>'],
    ['<p><b>1</b>: {on ? "Hide" : "Show"} it</p>', '<p><b>1</b><span>: {on ? "Hide" : "Show"} it</span></p>'],
    ['<p><b>1</b> {`at ${on}`}</p>', '<p><b>1</b> <span>{`at ${on}`}</span></p>'],
    ['<div><b>1</b>{format(on)}</div>', '<div><b>1</b><span>{format(on)}</span></div>'],
    ['<div><b>1</b>{label}</div>', '<div><b>1</b><span>{label}</span></div>'],
    ['<button><i />{children}</button>', '<button><i /><span>{children}</span></button>'],
  ])('reports changing text next to elements in %s', (jsx, fixed) => {
    expect(lint(jsx)).toEqual({ reports: ['changing'], fixed });
  });

  it('reports text after an element that can go', () => {
    const fixed = '<p><i />{on && <b>1</b>}<span> picture</span></p>';
    expect(lint('<p><i />{on && <b>1</b>} picture</p>')).toEqual({ reports: ['after'], fixed });
  });

  it('reports text of a fragment that can go or change', () => {
    const fixed = '<p>{on ? <span>All <b>1</b></span> : null}</p>';
    expect(lint('<p>{on ? <>All <b>1</b></> : null}</p>')).toEqual({ reports: ['fragment'], fixed });
    expect(lint('<>At {format(on)}</>').reports).toEqual(['fragment']);
  });

  it('reports a component that returns text', () => {
    const code = 'function State({ on }) { if (on) return "On"; return <b>{on}</b>; }';
    expect(new Linter().verify(code, CONFIG, 'sample.tsx').map(({ messageId }) => messageId)).toEqual(['component']);
    expect(new Linter().verify(code.replace('State', 'state'), CONFIG, 'sample.tsx')).toEqual([]);
  });

  it.each([
    '<p>{on ? "Hide" : "Show"} {format(on)}</p>',
    '<p>{on ? "Hide" : <b>Show</b>}</p>',
    '<p>Static <b>text</b> stays</p>',
    '<p>After {DAYS} days <b>1</b></p>',
    '<p>{on && <b>1</b>}<i /> text</p>',
    '<p><b>1</b> <span>{label}</span></p>',
    '<p translate="no"><b>@</b>{label}</p>',
    '<div><h1>1</h1>{children}{on && <b>2</b>}{show(on)}{[].map((x) => <i key={x} />)}</div>',
    '<Row label={<>Static <b>text</b></>} />',
  ])('accepts %s', (jsx) => {
    expect(lint(jsx).reports).toEqual([]);
  });
});
