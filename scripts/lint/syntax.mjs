/** The lint rules `syntax/*`: patterns of code that this product refuses. */

/** @typedef {import('./plugin.mjs').Rule} Rule */

/**
 * @param {string} message
 * @param {string[]} selectors
 * @returns {Rule}
 */
const refuse = (message, selectors) => ({
  meta: { type: 'problem', schema: [], messages: { refused: message } },
  create: (context) => ({
    [selectors.join(', ')]: (/** @type {any} */ node) => context.report({ node, messageId: 'refused' }),
  }),
});

const PART_OF_TABLE = '/^(t(able|head|body|foot|r|h|d)|caption|col(group)?)$/';
const POSITION = '/(^|\\s)(\\S+:)?(relative|tap|(before|after):(absolute|fixed))(\\s|$)/';
const CLASSES = `JSXOpeningElement[name.name=${PART_OF_TABLE}] > JSXAttribute[name.name='className']`;

/**
 * @param {any} reference to an import
 * @returns {boolean} whether the import may be one of types, as far as this reference goes
 */
function isOfType(reference) {
  const { identifier, isTypeReference, isValueReference } = reference;
  if (!isValueReference) return isTypeReference;
  if (isTypeReference && /^(ExportSpecifier|ExportDefaultDeclaration|TSExportAssignment)$/.test(identifier.parent.type))
    return false;
  let child = identifier;
  while (
    (child.parent.type === 'TSQualifiedName' && child.parent.left === child) ||
    (child.parent.type === 'MemberExpression' && child.parent.object === child)
  ) {
    child = child.parent;
  }
  const { parent } = child;
  return (
    parent.type === 'TSTypeQuery' || (parent.type === 'TSPropertySignature' && parent.key === child) || isTypeReference
  );
}

/**
 * As `typescript/consistent-type-imports`, which does not know that Nest needs the classes at run time: leaves files
 * with decorators alone.
 * @type {Rule}
 */
const typeImports = {
  meta: {
    type: 'suggestion',
    schema: [],
    fixable: 'code',
    messages: {
      name: '"{{name}}" is only used as a type: import it as a type.',
      inline: 'Import the type at the top of the file.',
    },
  },
  create(context) {
    let hasDecorators = false;
    /** @type {any[]} */
    const found = [];
    return {
      Decorator() {
        hasDecorators = true;
      },
      TSImportType: (/** @type {any} */ node) => context.report({ node, messageId: 'inline' }),
      'ImportDeclaration[importKind="value"] > *.specifiers[importKind!="type"]'(/** @type {any} */ node) {
        const references = context.sourceCode.getDeclaredVariables(node)[0]?.references ?? [];
        if (references.length > 0 && references.every(isOfType)) found.push(node);
      },
      'Program:exit'() {
        if (hasDecorators) return;
        for (const node of found) {
          context.report({
            node,
            messageId: 'name',
            data: { name: node.local.name },
            fix: (fixer) => (node.type === 'ImportSpecifier' ? fixer.insertTextBefore(node, 'type ') : null),
          });
        }
      },
    };
  },
};

/** For scripts that are no modules: in a module, the parser refuses both parameters, and octal numbers. @type {Rule} */
const noDupeArgs = {
  meta: { type: 'problem', schema: [], messages: { twice: 'Two parameters have the name "{{name}}".' } },
  create: (context) => ({
    ':function'(/** @type {any} */ node) {
      for (const { name, defs } of context.sourceCode.getDeclaredVariables(node)) {
        const parameters = defs.filter(({ type }) => type === 'Parameter');
        if (parameters.length > 1) context.report({ node, messageId: 'twice', data: { name } });
      }
    },
  }),
};

export default {
  meta: { name: 'syntax' },
  rules: {
    'no-dupe-args': noDupeArgs,
    'no-hooks-of-a-module': refuse('The module is loaded once a worker: its hooks would run for one spec only.', [
      'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]',
    ]),
    'no-message-of-an-error': refuse(
      'An error may have the words of the browser or of a library: use problemOf or ownWords.',
      [`object.name='error'`, `object.property.name='error'`].map(
        (object) => `MemberExpression[${object}][property.name='message']`,
      ),
    ),
    'no-octal': refuse('An octal number: write 0o17.', ['Literal[raw=/^0\\d/]']),
    // In WebKit an overlay in a table covers the page: components/whole-row.ts
    'no-position-in-a-table': refuse('No part of a table is a containing block: use WHOLE_ROW or row-mark.', [
      `${CLASSES} Literal[value=${POSITION}]`,
      `${CLASSES} TemplateElement[value.raw=${POSITION}]`,
    ]),
    'type-imports': typeImports,
  },
};
