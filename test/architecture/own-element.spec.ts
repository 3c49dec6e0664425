import { describe, expect, it } from '@jest/globals';
import { lintConfig, lintFiles } from '../support/lint-files.js';

const CHANGING = 'Text that can change next to elements needs an element of its own';
const AFTER = 'Text after an element that can go needs an element of its own';
const FRAGMENT = 'Text that can change or go needs an element in place of the fragment';
const COMPONENT = 'A component returns its text in an element';

/** Pieces of JSX that are reported, each with the report and the repaired piece. */
const changing = [
  ['<p>{on && "Hidden"} <b>picture</b></p>', '<p><span>{on && "Hidden"}</span> <b>picture</b></p>'],
  ['<p><b>1</b>: {on ? "Hide" : "Show"} it</p>', '<p><b>1</b><span>: {on ? "Hide" : "Show"} it</span></p>'],
  ['<p><b>1</b> {`at ${on}`}</p>', '<p><b>1</b> <span>{`at ${on}`}</span></p>'],
  ['<div><b>1</b>{format(on)}</div>', '<div><b>1</b><span>{format(on)}</span></div>'],
  ['<div><b>1</b>{label}</div>', '<div><b>1</b><span>{label}</span></div>'],
  ['<button><i />{children}</button>', '<button><i /><span>{children}</span></button>'],
] as const;
const CAN_GO = '<p><i />{on && <b>1</b>} picture</p>';
const FRAGMENT_CAN_GO = '<p>{on ? <>All <b>1</b></> : null}</p>';
const FRAGMENT_CHANGES = '<>At {format(on)}</>';
const accepted = [
  '<p>{on ? "Hide" : "Show"} {format(on)}</p>',
  '<p>{on ? "Hide" : <b>Show</b>}</p>',
  '<p>Static <b>text</b> stays</p>',
  '<p>After {DAYS} days <b>1</b></p>',
  '<p>{on && <b>1</b>}<i /> text</p>',
  '<p><b>1</b> <span>{label}</span></p>',
  '<p translate="no"><b>@</b>{label}</p>',
  '<div><h1>1</h1>{children}{on && <b>2</b>}{show(on)}{[].map((x) => <i key={x} />)}</div>',
  '<Row label={<>Static <b>text</b></>} />',
];

const pieces = [...changing.map(([jsx]) => jsx), CAN_GO, FRAGMENT_CAN_GO, FRAGMENT_CHANGES, ...accepted];
const pathOf = (jsx: string): string => `web/src/piece-${pieces.indexOf(jsx)}.tsx`;
const files: Record<string, string> = {
  'web/src/component.tsx': 'function State({ on }) { if (on) return "On"; return <b>{on}</b>; }',
  'web/src/function.tsx': 'function state({ on }) { if (on) return "On"; return <b>{on}</b>; }',
};
for (const jsx of pieces) {
  files[pathOf(jsx)] = `const label = on ? 'Hide' : 'Show';\nexport const view = (on, children, show) =>\n(${jsx});`;
}
const { overrides, ...config } = lintConfig();
const own = overrides?.filter(({ rules = {} }) => 'text/own-element' in rules);
const only = { ...config, rules: {}, overrides: own ?? [], options: {} };
const { reports } = lintFiles(only, files);
const { texts } = lintFiles(only, files, '--fix');

/** The reports about a piece of JSX, and the repaired piece. */
const lint = (jsx: string) => ({
  reports: reports(pathOf(jsx)).map(({ message }) => message.replace(/ \(.*/, '')),
  fixed: texts.get(pathOf(jsx))?.split('\n')[2]?.slice(1, -2),
});

describe('text/own-element', () => {
  it.each(changing)('reports changing text next to elements in %s', (jsx, fixed) => {
    expect(lint(jsx)).toEqual({ reports: [CHANGING], fixed });
  });

  it('reports text after an element that can go', () => {
    const fixed = '<p><i />{on && <b>1</b>}<span> picture</span></p>';
    expect(lint(CAN_GO)).toEqual({ reports: [AFTER], fixed });
  });

  it('reports text of a fragment that can go or change', () => {
    const fixed = '<p>{on ? <span>All <b>1</b></span> : null}</p>';
    expect(lint(FRAGMENT_CAN_GO)).toEqual({ reports: [FRAGMENT], fixed });
    expect(lint(FRAGMENT_CHANGES).reports).toEqual([FRAGMENT]);
  });

  it('reports a component that returns text', () => {
    expect(reports('web/src/component.tsx').map(({ message }) => message)).toEqual([
      expect.stringContaining(COMPONENT),
    ]);
    expect(reports('web/src/function.tsx')).toEqual([]);
  });

  it.each(accepted)('accepts %s', (jsx) => {
    expect(lint(jsx).reports).toEqual([]);
  });
});
