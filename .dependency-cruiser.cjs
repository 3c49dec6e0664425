/**
 * The boundaries between the parts. Each context has a floor and imports lower floors only, through their index.ts:
 *
 *   contract, platform | identity, credits | creators, payments, revenue | generation, finance | gallery | audit, privacy |
 *   admin | frame | composition, cli, main
 *
 * test/architecture proves that each rule fails for a breach.
 */
const floors = [
  ['platform'],
  ['identity', 'credits'],
  ['creators', 'payments', 'revenue'],
  ['generation', 'finance'],
  ['gallery'],
  ['audit', 'privacy'],
  ['admin'],
  ['frame'],
];
/** They read the tables of every context. They change none, except by commands. */
const readers = ['audit', 'privacy', 'admin', 'frame'];
const contexts = floors.slice(1).flat();
/** @param {string[]} names */
const anyOf = (names) => `(${names.join('|')})`;

/** Contexts that have parts with folders of their own. */
const parts = '(admin/acts|admin/cases|privacy/archive|privacy/closing)';
/** The files that put the parts together. */
const composition = ['^src/composition/', '^src/[^/]+\\.ts$'];

/** One rule a floor: it may import neither a neighbour on its own floor nor anything above. */
const upwards = floors.flatMap((floor, level) =>
  floor.map((name) => ({
    name: `floors-${name}`,
    comment: `${name} is on floor ${level} and imports lower floors only. Higher floors reach it by sending commands.`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^src/${name}/`, pathNot: '\\.spec\\.ts$' }, // a spec may use the audit as its oracle
    to: {
      path: [
        `^src/${anyOf(
          floors
            .slice(level)
            .flat()
            .filter((other) => other !== name),
        )}/`,
        ...composition,
        '^src/cli/',
      ],
    },
  })),
);

/** Pure rules that the server applies and the browser applies before it, so that they cannot differ. */
const sharedRules = ['^src/generation/prompts/sanitise-prompt\\.ts$', '^src/gallery/image-object\\.ts$'];

/** @type {import('dependency-cruiser').IConfiguration} */
const configuration = {
  forbidden: [
    ...upwards,
    {
      name: 'only-the-index',
      comment: 'Other contexts import a context through its index.ts only.',
      severity: 'error',
      from: {
        path: `^src/${anyOf([...contexts.filter((name) => !readers.includes(name)), 'privacy/closing', 'sandbox'])}/`,
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: `^src/${anyOf(contexts)}/`,
        pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', `^src/${parts}/index\\.ts$`],
      },
    },
    {
      name: 'readers-read-tables',
      comment:
        'The audit, the export of personal data, the admin area and the frame import a context through its index.ts or tables.ts only.',
      severity: 'error',
      from: { path: `^src/${anyOf(readers)}/`, pathNot: '\\.spec\\.ts$' },
      to: {
        path: `^src/${anyOf(contexts.filter((name) => !readers.includes(name)))}/`,
        pathNot: '^src/[^/]+/(index|tables)\\.ts$',
      },
    },
    {
      name: 'http-only-at-the-edge',
      comment:
        'Rules, use cases, reads, workers and providers run without HTTP: controllers call them, not the reverse.',
      severity: 'error',
      from: {
        path: ['^src/[^/]+/', `^src/${parts}/`].map((at) => `${at}(use-cases|reads|workers|providers|account|ledger)/`),
        pathNot: '\\.spec\\.ts$',
      },
      to: { path: ['^src/[^/]+/http/', `^src/${parts}/http/`] },
    },
    {
      name: 'workers-call-use-cases',
      comment: 'Workers of generation call use cases, not the reverse. Both ask for the steps of a generation.',
      severity: 'error',
      from: { path: '^src/generation/(use-cases|steps)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/generation/workers/' },
    },
    {
      name: 'composition-knows-the-faces',
      comment:
        'The composition and the command line import of a context its index.ts, module, migrations and tables only.',
      severity: 'error',
      from: { path: [...composition, '^src/cli/'], pathNot: '\\.spec\\.ts$' },
      to: {
        path: `^src/${anyOf(contexts)}/`,
        pathNot: ['^src/[^/]+/', `^src/${parts}/`].map((at) => `${at}(index|tables|migrations|[a-z-]+\\.module)\\.ts$`),
      },
    },
    {
      name: 'sandbox-only-from-the-root',
      comment:
        'The sandboxes are a compile unit of their own, which production images leave out: only the composition root loads them.',
      severity: 'error',
      from: { path: ['^src/', '^web/'], pathNot: ['^src/sandbox/', '^src/composition/compose\\.ts$'] },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'sandbox-only-on-demand',
      comment:
        'The composition root imports src/sandbox/index.ts dynamically, and only when a provider has no keys. Its types are in src/platform/config/sandboxes.ts.',
      severity: 'error',
      from: { path: '^src/composition/compose\\.ts$' },
      to: { path: '^src/sandbox/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'sandbox-imports-no-context',
      comment:
        'A sandbox speaks a wire protocol and must not know its caller. The demo is not a sandbox: it uses the product.',
      severity: 'error',
      from: { path: '^src/sandbox/', pathNot: ['\\.spec\\.ts$', '^src/sandbox/demo/'] },
      to: { path: [`^src/${anyOf(contexts)}/`, ...composition] },
    },
    {
      name: 'web-sees-the-contract-only',
      comment: 'The browser imports the contract and the rules that both sides apply, and nothing else of the server.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: ['^src/', '^test/'], pathNot: ['^src/contract/', ...sharedRules] },
    },
    {
      name: 'shared-rules-are-pure',
      comment: 'What the browser shares with the server imports only its own kind and the contract.',
      severity: 'error',
      from: { path: sharedRules },
      to: { pathNot: [...sharedRules, '^src/contract/'] },
    },
    {
      name: 'contract-imports-only-itself',
      comment: 'Server and browser both read src/contract: it imports nothing else.',
      severity: 'error',
      from: { path: '^src/contract/', pathNot: ['\\.spec\\.ts$', '^src/contract/calls/'] },
      to: { pathNot: '^src/contract/' },
    },
    {
      name: 'calls-import-the-contract-and-validation',
      comment: 'The classes of requests import the contract and the packages that validate them.',
      severity: 'error',
      from: { path: '^src/contract/calls/' },
      to: { pathNot: ['^src/contract/', '(^|/)node_modules/class-(transformer|validator)/'] },
    },
    {
      name: 'web-sees-no-request-class',
      comment: 'A class of a request brings its validation: the browser imports its type only.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/contract/calls/', dependencyTypesNot: ['type-only'] },
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
      comment: 'boot.ts loads main.tsx, which starts the app; nothing else imports them.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/boot\\.(spec\\.)?ts$' },
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
      comment: 'Types and lazy imports count as well: two files that need each other are one file, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is left over.',
      severity: 'error',
      from: {
        orphan: true,
        path: ['^src/', '^web/src/'],
        pathNot: ['^src/(main|cli/(ledger|projections))\\.ts$', '\\.d\\.ts$'],
      },
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

module.exports = configuration;
