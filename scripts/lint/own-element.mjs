/**
 * The lint rule `text/own-element`. A program that translates a page puts a `<font>` in place of each text node. React
 * then changes a node that is no longer shown, and throws when it removes the node or inserts something before it. It
 * replaces the text of an element that has nothing else as a whole, which is safe.
 */

/** Elements that hold text, so that an expression between their children can be text. */
const HOLDS_TEXT =
  /^(a|b|button|caption|dd|dt|em|figcaption|h\d|i|kbd|label|legend|li|option|p|small|span|strong|summary|td|th|time|Badge|Banner|Button|ButtonLink|Chip|Link|MenuItem|NavLink)$/;

/** @typedef {'text' | 'changing text' | 'element' | 'changing element' | 'unknown'} Kind */

/**
 * @param {any} node an expression, or a child of an element
 * @param {(node: any) => any} find the value of a constant, a function or a parameter
 * @returns {Kind | undefined} undefined for what shows nothing
 */
function kindOf(node, find) {
  switch (node.type) {
    case 'JSXText':
      return node.value.trim() === '' && node.value.includes('\n') ? undefined : 'text';
    case 'JSXExpressionContainer':
      return kindOf(node.expression, find);
    case 'JSXEmptyExpression':
      return undefined;
    case 'JSXElement':
    case 'JSXFragment':
      return 'element';
    case 'Literal':
      return ['string', 'number'].includes(typeof node.value) ? 'text' : undefined;
    case 'TemplateLiteral':
      return node.expressions.every((/** @type {any} */ part) => kindOf(part, find) === 'text')
        ? 'text'
        : 'changing text';
    case 'BinaryExpression':
      return 'changing text';
    case 'LogicalExpression':
      return changing([...(node.operator === '&&' ? [] : [kindOf(node.left, find)]), kindOf(node.right, find)]);
    case 'ConditionalExpression':
      return changing([kindOf(node.consequent, find), kindOf(node.alternate, find)]);
    case 'CallExpression': {
      const called = find(node.callee);
      if (called?.type === 'Parameter') return 'unknown';
      const name = node.callee.property?.name ?? node.callee.name;
      return /^(map|flatMap|from)$/.test(name) || hasJsx(called) ? 'changing element' : 'changing text';
    }
    case 'Identifier': {
      if (/^[A-Z][A-Z_\d]+$/.test(node.name)) return 'text';
      const value = find(node);
      return value === undefined ? 'unknown' : kindOf(value, find);
    }
    default:
      return 'unknown';
  }
}

/**
 * @param {(Kind | undefined)[]} branches
 * @returns {Kind | undefined}
 */
function changing(branches) {
  if (branches.some((branch) => branch === 'text' || branch === 'changing text')) return 'changing text';
  if (branches.some((branch) => branch === 'unknown')) return 'unknown';
  return branches.some((branch) => branch !== undefined) ? 'changing element' : undefined;
}

/**
 * @param {any} node the value that a component returns
 * @returns {boolean}
 */
const writesText = (node) =>
  node?.type === 'ConditionalExpression'
    ? writesText(node.consequent) || writesText(node.alternate)
    : node?.type === 'TemplateLiteral' || typeof node?.value === 'string';

/**
 * @param {any} node
 * @returns {boolean}
 */
function hasJsx(node) {
  if (node === null || typeof node !== 'object') return false;
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return true;
  return Object.entries(node).some(
    ([key, value]) => key !== 'parent' && (Array.isArray(value) ? value.some(hasJsx) : hasJsx(value)),
  );
}

/**
 * @param {any} node
 * @returns {boolean} whether translators leave it alone
 */
function isUntranslated(node) {
  if (node?.type !== 'JSXElement') return node?.parent !== undefined && isUntranslated(node.parent);
  const isMarked = node.openingElement.attributes.some(
    (/** @type {any} */ { name, value }) => name?.name === 'translate' && value?.value === 'no',
  );
  return isMarked || isUntranslated(node.parent);
}

/** @typedef {import('./plugin.mjs').Rule} Rule */
/** @typedef {{ node: any, kind: Kind }} Piece */

/** @param {Piece | undefined} piece */
const isText = (piece) => piece?.kind === 'text' || piece?.kind === 'changing text';

/** @type {Rule} */
const ownElement = {
  meta: {
    type: 'problem',
    schema: [],
    fixable: 'code',
    messages: {
      changing: 'Text that can change next to elements needs an element of its own (web/README.md, Translated pages).',
      after: 'Text after an element that can go needs an element of its own (web/README.md, Translated pages).',
      component: 'A component returns its text in an element (web/README.md, Translated pages).',
      fragment:
        'Text that can change or go needs an element in place of the fragment (web/README.md, Translated pages).',
    },
  },
  create(context) {
    const { sourceCode } = context;

    /**
     * @param {any} name
     * @returns {any} the function of that name, the value of the constant, or that it is a parameter
     */
    function find(name) {
      for (let scope = name.type === 'Identifier' ? sourceCode.getScope(name) : null; scope; scope = scope.upper) {
        const definition = /** @type {any} */ (scope.set.get(name.name)?.defs[0]);
        if (definition?.type === 'FunctionName') return definition.node;
        if (definition?.type === 'Parameter') return definition;
        const isConstant = definition?.parent?.kind === 'const' && definition.node.id.type === 'Identifier';
        if (definition) return isConstant ? (definition.node.init ?? undefined) : undefined;
      }
      return undefined;
    }

    /**
     * @param {any} element
     * @returns {Piece[]} what it shows
     */
    function piecesOf(element) {
      const kinds = element.children.map((/** @type {any} */ child) => kindOf(child, find));
      const holdsText = HOLDS_TEXT.test(element.openingElement?.name.name);
      return element.children.flatMap((/** @type {any} */ node, /** @type {number} */ at) => {
        const kind = kinds[at];
        if (kind === undefined) return [];
        const isInText = holdsText || [kinds[at - 1], kinds[at + 1]].some((next) => next === 'text');
        if (kind !== 'unknown' || !isInText || /icon|fallback/i.test(sourceCode.getText(node))) return [{ node, kind }];
        return [{ node, kind: 'changing text' }];
      });
    }

    /**
     * @param {Piece[]} pieces
     * @param {number} at
     * @returns {(fixer: any) => any} puts the text around a piece into an element
     */
    const wrap = (pieces, at) => (fixer) => {
      let first = at;
      let last = at;
      while (isText(pieces[first - 1])) first -= 1;
      while (isText(pieces[last + 1])) last += 1;
      const start = pieces[first]?.node.range[0];
      const end = pieces[last]?.node.range[1];
      const text = sourceCode.text.slice(start, end);
      const isAfter = pieces[at]?.kind === 'text';
      const edges = isAfter ? /^(\s*\n\s*|)(.*?)((?:\s|\{' '\})*)$/s : /^((?:\s|\{' '\})*)(.*?)((?:\s|\{' '\})*)$/s;
      const [, before = '', inner = '', after = ''] = edges.exec(text) ?? [];
      return fixer.replaceTextRange([start, end], `${before}<span>${inner}</span>${after}`);
    };

    return {
      ':function[id.name=/^[A-Z]/] ReturnStatement'(/** @type {any} */ node) {
        const functions = sourceCode
          .getAncestors(node)
          .filter((/** @type {any} */ { type }) => type.includes('Function'));
        const { id } = /** @type {any} */ (functions.at(-1));
        if (id && writesText(node.argument)) context.report({ node, messageId: 'component' });
      },
      JSXFragment(/** @type {any} */ node) {
        const pieces = piecesOf(node);
        const isBranch = /^(Conditional|Logical)Expression$/.test(node.parent.type);
        if (!pieces.some((piece) => piece.kind === 'changing text' || (isBranch && piece.kind === 'text'))) return;
        context.report({
          node,
          messageId: 'fragment',
          fix: (fixer) => [
            fixer.replaceText(node.openingFragment, '<span>'),
            fixer.replaceText(node.closingFragment, '</span>'),
          ],
        });
      },
      JSXElement(/** @type {any} */ node) {
        const pieces = piecesOf(node);
        if (pieces.every(isText) || isUntranslated(node)) return;
        pieces.forEach((piece, at) => {
          const before = pieces[at - 1]?.kind;
          const isAfter = piece.kind === 'text' && (before === 'changing element' || before === 'unknown');
          if (piece.kind !== 'changing text' && !isAfter) return;
          const messageId = isAfter ? 'after' : 'changing';
          context.report({ node: piece.node, messageId, fix: wrap(pieces, at) });
        });
      },
    };
  },
};

export default { meta: { name: 'text' }, rules: { 'own-element': ownElement } };
