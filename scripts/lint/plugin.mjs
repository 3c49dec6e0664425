import { describeProblem, titleProblem } from './titles.mjs';
import { ambiguousNames, names, openings, titleWords, words } from './words.mjs';

/** Lints the plain English of docs/style.md: titles of tests, words, names, length of comments. */

/** @typedef {Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1]} Rule */

const MAX_COLUMNS = 120;

/** @param {import('./words.mjs').Word[]} list */
const anywhere = (list) => list.map((word) => ({ ...word, regex: new RegExp(`\\b(?:${word.pattern})\\b`, 'gi') }));

const refused = anywhere(words);
const refusedInTitles = anywhere([...words, ...titleWords]);
const refusedOpenings = openings.map((word) => ({
  ...word,
  regex: new RegExp(`^[\\s*/]*(?:${word.pattern})\\b`, 'i'),
}));

/**
 * @param {string} text
 * @param {{ regex: RegExp, instead: string }[]} list
 * @returns {{ found: string, index: number, instead: string }[]}
 */
function refusedWords(text, list) {
  // Skips code in backticks and quotations
  const own = text.replace(/`[^`\n]*`|"[^"\n]*"|'[^'\n]{2,}'(?=[\s,.;:)]|$)/g, (quoted) => ' '.repeat(quoted.length));
  return list.flatMap(({ regex, instead }) =>
    [...own.matchAll(regex)].map((match) => ({ found: match[0], index: match.index, instead })),
  );
}

/**
 * The name of a test function's call: `it`, `test` or `describe`, also as `it.each(…)(…)`.
 * @param {any} callee
 * @returns {string | undefined}
 */
function testFunction(callee) {
  if (callee.type === 'Identifier') return ['it', 'test', 'describe'].includes(callee.name) ? callee.name : undefined;
  if (callee.type === 'MemberExpression') return testFunction(callee.object);
  if (callee.type === 'CallExpression') return testFunction(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return testFunction(callee.tag);
  return undefined;
}

/**
 * @param {any} node
 * @returns {string | undefined} the title, with `${…}` in place of each expression
 */
function titleText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') {
    return node.quasis.map((/** @type {any} */ quasi) => quasi.value.cooked).join('${…}');
  }
  return undefined;
}

/** @type {Rule} */
const testTitles = {
  meta: { type: 'suggestion', schema: [], messages: { title: 'The title "{{title}}" {{problem}}.' } },
  create: (context) => ({
    CallExpression(node) {
      const name = testFunction(node.callee);
      const title = titleText(node.arguments[0]);
      // `it.each([...])` itself has no title, only the call of its result
      if (name === undefined || title === undefined) return;
      const problem = name === 'describe' ? describeProblem(title) : titleProblem(title);
      if (problem !== undefined) context.report({ node, messageId: 'title', data: { title, problem } });
      for (const { found, instead } of refusedWords(title, refusedInTitles)) {
        const wrong = `says "${found}": write ${instead}`;
        context.report({ node, messageId: 'title', data: { title, problem: wrong } });
      }
    },
  }),
};

/** @type {Rule} */
const plainComments = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      word: '"{{found}}" in a comment: write {{instead}}.',
      opening: 'The comment starts with "{{found}}": {{instead}}.',
      length: `A comment line of {{length}} characters: wrap at ${MAX_COLUMNS}.`,
    },
  },
  create: (context) => ({
    Program() {
      const { sourceCode } = context;
      for (const comment of sourceCode.getAllComments()) {
        if (comment.loc == null || comment.range === undefined) continue;
        const start = comment.range[0] + 2;
        const at = (/** @type {number} */ index) => sourceCode.getLocFromIndex(start + index);
        for (const { found, index, instead } of refusedWords(comment.value, refused)) {
          context.report({ loc: at(index), messageId: 'word', data: { found, instead } });
        }
        for (const { regex, instead } of refusedOpenings) {
          const found = regex.exec(comment.value)?.[0].replace(/^[\s*/]+/, '');
          if (found !== undefined && !continues(sourceCode, comment)) {
            context.report({ loc: comment.loc, messageId: 'opening', data: { found, instead } });
          }
        }
        for (let line = comment.loc.start.line; line <= comment.loc.end.line; line++) {
          const { length } = sourceCode.lines[line - 1] ?? '';
          if (length > MAX_COLUMNS && !/https?:\/\/\S+\s*(\*\/)?$/.test(sourceCode.lines[line - 1] ?? '')) {
            context.report({
              loc: { line, column: MAX_COLUMNS },
              messageId: 'length',
              data: { length: String(length) },
            });
          }
        }
      }
    },
  }),
};

/**
 * True for a line comment that continues the comment of the previous line.
 * @param {any} sourceCode
 * @param {any} comment
 */
function continues(sourceCode, comment) {
  return comment.type === 'Line' && /^\s*\/\//.test(sourceCode.lines[comment.loc.start.line - 2] ?? '');
}

/**
 * Refuses variables, parameters, functions and members with one of these names. A `left` with a `right` or a `top` is
 * a side.
 * @param {string[]} refusedNames
 * @param {string} message
 * @returns {Rule}
 */
function refuseNames(refusedNames, message) {
  return {
    meta: { type: 'suggestion', schema: [], messages: { name: message } },
    create(context) {
      const check = (/** @type {any} */ node) => {
        if (node?.type === 'Identifier' && refusedNames.includes(node.name)) {
          context.report({ node, messageId: 'name', data: { name: node.name } });
        }
      };
      return {
        Program() {
          for (const scope of context.sourceCode.scopeManager.scopes) {
            const isSide = scope.set.has('right') || scope.set.has('top');
            for (const variable of scope.variables) {
              if (variable.name === 'left' && isSide) continue;
              for (const definition of variable.defs) if (definition.type !== 'ImportBinding') check(definition.name);
            }
          }
        },
        MethodDefinition: (node) => void (!node.static && check(node.key)),
        PropertyDefinition: (node) => void check(node.key),
      };
    },
  };
}

const plainNames = refuseNames(names, 'The name "{{name}}" says nothing about its value.');

const clearNames = refuseNames(
  ambiguousNames,
  'The name "{{name}}" has several meanings: dueAt, heldCredits, givenKey, leftCents.',
);

/** @type {Rule} */
const plainCode = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      spread: 'Write the properties themselves: a literal in a literal only saves lines.',
      tuple: 'Declare each by itself: an array that is taken apart at once only saves lines.',
      head: 'Declare the second variable before the loop.',
    },
  },
  create: (context) => ({
    'ObjectExpression > SpreadElement > ObjectExpression': (/** @type {any} */ node) =>
      context.report({ node, messageId: 'spread' }),
    'VariableDeclarator[id.type="ArrayPattern"][init.type="ArrayExpression"]': (/** @type {any} */ node) =>
      context.report({ node, messageId: 'tuple' }),
    'ForStatement > VariableDeclaration[declarations.length>1]': (/** @type {any} */ node) =>
      context.report({ node, messageId: 'head' }),
  }),
};

/**
 * A number that is written out, or a calculation with such numbers.
 * @param {any} node
 * @returns {boolean}
 */
function isNumber(node) {
  if (node?.type === 'Literal') return typeof node.value === 'number';
  if (node?.type === 'UnaryExpression') return isNumber(node.argument);
  return node?.type === 'BinaryExpression' && isNumber(node.left) && isNumber(node.right);
}

/** @type {Rule} */
const plainConstants = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { unit: 'The number "{{name}}" lacks its unit or its meaning: EVENTS_PER_READ, MAX_TRIES, EDGE_PX.' },
  },
  create: (context) => ({
    ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind="const"] > VariableDeclarator'(
      /** @type {any} */ node,
    ) {
      const { name } = node.id;
      if (isNumber(node.init) && /^[A-Z][A-Z0-9]*$/.test(name ?? ''))
        context.report({ node: node.id, messageId: 'unit', data: { name } });
    },
  }),
};

export default {
  meta: { name: 'style' },
  rules: {
    'test-titles': testTitles,
    'plain-comments': plainComments,
    'plain-names': plainNames,
    'plain-code': plainCode,
    'plain-constants': plainConstants,
    'clear-names': clearNames,
  },
};
