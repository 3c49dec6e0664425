/**
 * The boundaries of the house. A context stands on a floor and knows the floors below it, through their index.ts only:
 *
 *   platform | identity, credits | creators, payments, revenue | generation | gallery | app.module, cli, main
 *
 * test/architecture proves that each rule bites.
 */
const floors = [
  ['platform'],
  ['identity', 'credits'],
  ['creators', 'payments', 'revenue'],
  ['generation'],
  ['gallery'],
];
const contexts = floors.slice(1).flat();
/** @param {string[]} names */
const anyOf = (names) => `(${names.join('|')})`;

/** One rule a floor: it may import neither a neighbour on its own floor nor anything above. */
const upwards = floors.flatMap((floor, level) =>
  floor.map((name) => ({
    name: `floors-${name}`,
    comment: `${name} stands on floor ${level}: it knows the floors below it only. What happens above reaches below as a command.`,
    severity: 'error',
    from: { path: `^src/${name}/` },
    to: {
      path: [
        `^src/${anyOf(
          floors
            .slice(level)
            .flat()
            .filter((other) => other !== name),
        )}/`,
        '^src/[^/]+\\.ts$', // the composition: app.module, cli, main, migrations
      ],
    },
  })),
);

/** Pure rules that the server applies and the browser applies before it, so that they cannot differ. */
const sharedRules = ['^src/generation/(sanitise-prompt|limits)\\.ts$', '^src/gallery/image-object\\.ts$'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...upwards,
    {
      name: 'only-the-index',
      comment: 'A context shows the others its index.ts, and nobody imports past it.',
      severity: 'error',
      from: { path: `^src/${anyOf([...contexts, 'sandbox'])}/` },
      to: { path: `^src/${anyOf(contexts)}/`, pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'composition-knows-the-faces',
      comment:
        'The files that put the house together see of a context its index.ts, its module, its migrations and its tables.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: '\\.spec\\.ts$' },
      to: {
        path: `^src/${anyOf(contexts)}/`,
        pathNot: '^src/[^/]+/(index|tables|migrations|[a-z-]+\\.module)\\.ts$',
      },
    },
    {
      name: 'sandbox-only-from-the-root',
      comment:
        'The sandboxes are a compile unit of their own, which production images leave out: only the composition root loads them.',
      severity: 'error',
      from: { path: ['^src/', '^web/'], pathNot: ['^src/sandbox/', '^src/compose\\.ts$'] },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'sandbox-only-on-demand',
      comment:
        'The composition root imports src/sandbox/index.ts dynamically, and only when a provider has no keys. Its types are in src/platform/sandboxes.ts.',
      severity: 'error',
      from: { path: '^src/compose\\.ts$' },
      to: { path: '^src/sandbox/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'sandbox-imports-no-context',
      comment:
        'A sandbox speaks a wire protocol and must not know its caller. The demo is not a sandbox: it uses the product.',
      severity: 'error',
      from: { path: '^src/sandbox/', pathNot: ['\\.spec\\.ts$', '^src/sandbox/demo/'] },
      to: { path: [`^src/${anyOf(contexts)}/`, '^src/[^/]+\\.ts$'] },
    },
    {
      name: 'web-sees-wire-only',
      comment: 'The browser knows the server by its wire types, and shares the rules that both sides must apply alike.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: ['^src/', '^test/'], pathNot: ['^src/.+/wire\\.ts$', ...sharedRules] },
    },
    {
      name: 'web-sees-wire-as-types',
      comment: 'Nothing of the server may end up in the bundle: import type.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: sharedRules, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'shared-rules-are-pure',
      comment: 'What the browser shares with the server imports nothing but its own kind.',
      severity: 'error',
      from: { path: sharedRules },
      to: { pathNot: sharedRules },
    },
    {
      name: 'wire-is-types-only',
      comment: 'wire.ts is read by the browser too: it imports types of other wire.ts files and nothing else.',
      severity: 'error',
      from: { path: '^src/.+/wire\\.ts$' },
      to: { pathNot: '^src/.+/wire\\.ts$' },
    },
    {
      name: 'web-lib-is-the-ground',
      comment: 'web/src/lib knows no component, no feature and no page.',
      severity: 'error',
      from: { path: '^web/src/lib/' },
      to: { path: '^web/src/', pathNot: '^web/src/lib/' },
    },
    {
      name: 'web-components-know-lib-only',
      comment: 'A building block is usable by every feature, so it knows none.',
      severity: 'error',
      from: { path: '^web/src/components/' },
      to: { path: '^web/src/', pathNot: '^web/src/(components|lib)/' },
    },
    {
      name: 'web-features-are-separate',
      comment: 'A feature imports no other feature. Pages in web/src/app/pages combine features through props.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'web-features-below-app',
      comment: 'The app composes the features; a feature does not know the app.',
      severity: 'error',
      from: { path: '^web/src/features/' },
      to: { path: ['^web/src/app/', '^web/src/[^/]+$'] },
    },
    {
      name: 'web-app-below-main',
      comment: 'main.tsx starts the app; nothing imports it.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^web/src/[^/]+$' },
    },
    {
      name: 'server-does-not-see-web',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'no-tests-in-the-product',
      comment: 'What is shipped does not import test code.',
      severity: 'error',
      from: { path: ['^src/', '^web/'], pathNot: '\\.spec\\.tsx?$' },
      to: { path: ['^test/', '\\.spec\\.tsx?$'] },
    },
    {
      name: 'no-circular',
      comment:
        'Types count as well: two files that need each other are one file, or miss a third. A lazy import ends a circle: by then all is loaded.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is left over.',
      severity: 'error',
      from: { orphan: true, path: ['^src/', '^web/src/'], pathNot: ['^src/(main|cli)\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-packages-in-the-server',
      comment: 'The server must run without the development packages.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
};
