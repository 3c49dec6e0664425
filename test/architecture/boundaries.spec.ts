import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A small source tree without a violation. */
const validTree: Record<string, string> = {
  'package.json': JSON.stringify({
    name: 'example',
    type: 'module',
    dependencies: { 'class-validator': '1.0.0' },
    devDependencies: { 'test-tool': '1.0.0' },
  }),
  'node_modules/test-tool/package.json': JSON.stringify({ name: 'test-tool', version: '1.0.0', main: 'index.js' }),
  'node_modules/test-tool/index.js': 'module.exports = {};',
  'node_modules/class-validator/package.json': JSON.stringify({ name: 'class-validator', main: 'index.js' }),
  'node_modules/class-validator/index.js': 'exports.IsInt = 1;',
  'src/main.ts': "import './composition/app.module.js';\nimport './composition/compose.js';",
  'src/composition/compose.ts': "export const load = () => import('../sandbox/index.js');",
  'src/composition/app.module.ts': [
    "import './migrations.js';",
    ...['platform/platform', 'identity/identity', 'credits/credits', 'creators/creators'],
    ...['generation/generation', 'gallery/gallery', 'audit/audit'],
  ]
    .map((line) => (line.startsWith('import') ? line : `import '../${line}.module.js';`))
    .join('\n'),
  'src/composition/migrations.ts': "import { m } from '../credits/migrations.js';\nexport const all = [m];",
  'src/platform/platform.module.ts': "import './clock.js';",
  'src/platform/clock.ts': 'export const clock = 1;',
  'web/src/lib/cx.ts': 'export const cx = 1;',
  'web/src/components/button.tsx': "export { cx } from '../lib/cx.js';",
  'web/src/features/generation/prompt.ts': [
    "export { sanitise } from '../../../../src/generation/prompts/sanitise-prompt.js';",
    "export { limit } from '../../../../src/contract/limits.js';",
  ].join('\n'),
  'web/src/features/generation/prompt-page.tsx': "import './prompt.js';\nimport '../../components/button.js';",
  'web/src/features/creators/creator-page.tsx': "import '../../lib/cx.js';\nexport const creator = 1;",
  'web/src/app/routes.ts': "export const page = () => import('./page.js');",
  'web/src/app/page.ts':
    "import '../features/generation/prompt-page.js';\nimport '../features/creators/creator-page.js';",
  'src/identity/index.ts': "import '../platform/clock.js';\nexport const identity = 1;",
  'src/identity/identity.module.ts': "import './index.js';",
  'src/credits/index.ts': "export { rules } from './rules.js';",
  'src/credits/rules.ts': "import { clock } from '../platform/clock.js';\nexport const rules = clock;",
  'src/credits/rules.spec.ts': "import 'test-tool';\nimport './rules.js';",
  'src/credits/migrations.ts': "import { clock } from '../platform/clock.js';\nexport const m = clock;",
  'src/credits/credits.module.ts': "import './rules.js';",
  'src/creators/index.ts': "import '../credits/index.js';\nexport const creators = 1;",
  'src/creators/creators.module.ts': "import './index.js';",
  'src/generation/index.ts':
    "import '../contract/calls/generation.js';\nimport '../creators/index.js';\nimport '../identity/index.js';\nexport type { View } from '../contract/generation.js';",
  'src/contract/generation.ts': "import type { Info } from './media.js';\nexport interface View { image: Info }",
  'src/contract/limits.ts': 'export const limit = 1;',
  'src/contract/calls.ts': "export type { Calls } from './calls/generation.js';",
  'src/contract/calls/generation.ts':
    "import { IsInt } from 'class-validator';\nimport { limit } from '../limits.js';\nexport const rules = [IsInt, limit];\nexport type Calls = typeof rules;",
  'src/generation/prompts/sanitise-prompt.ts':
    "import { limit } from '../../contract/limits.js';\nexport const sanitise = limit;",
  'src/generation/generation.module.ts': "import './index.js';\nimport './workers/sweep.js';",
  'src/generation/workers/sweep.ts': "import '../use-cases/start.js';",
  'src/generation/use-cases/start.ts': 'export const start = 1;',
  'src/contract/media.ts': 'export interface Info { url: string }',
  'src/audit/index.ts': "export { rules } from '../credits/index.js';\nimport '../credits/tables.js';",
  'src/credits/tables.ts': "import { clock } from '../platform/clock.js';\nexport const table = clock;",
  'src/audit/audit.module.ts': "import './index.js';",
  'src/cli/ledger.ts': "import '../audit/index.js';",
  'src/gallery/gallery.module.ts': "import '../generation/index.js';\nimport '../creators/index.js';",
  'src/sandbox/index.ts': "import './clerk.js';\nimport './demo/demo-seed.js';",
  'src/sandbox/demo/demo-seed.ts': "import '../../creators/index.js';",
  'src/sandbox/clerk.ts': "import '../platform/clock.js';",
  'web/src/main.tsx':
    "import './app/routes.js';\nimport type { View } from '../../src/contract/generation.js';\nexport type V = View;",
  'test/support/fakes.ts': "import '../../src/credits/rules.js';\nexport const fakes = 1;",
};

/** Violations of one rule each: the rule, the file, and the content to write to that file. */
const violations: [rule: string, file: string, line: string][] = [
  ['floors-platform', 'src/platform/logger.ts', "import '../credits/index.js';"],
  ['floors-platform', 'src/platform/starter.ts', "import '../composition/migrations.js';"],
  [
    'floors-credits',
    'src/credits/upwards.ts',
    "import type { View } from '../generation/index.js';\nexport type V = View;",
  ],
  ['floors-credits', 'src/credits/sideways.ts', "import '../identity/index.js';"],
  ['floors-creators', 'src/creators/upwards.ts', "import '../generation/index.js';"],
  ['floors-payments', 'src/payments/upwards.ts', "import '../generation/index.js';"],
  ['floors-payments', 'src/payments/sideways.ts', "import '../creators/index.js';"],
  ['floors-revenue', 'src/revenue/upwards.ts', "import '../generation/index.js';"],
  ['floors-revenue', 'src/revenue/sideways.ts', "import '../creators/index.js';"],
  ['floors-finance', 'src/finance/upwards.ts', "import '../gallery/index.js';"],
  ['floors-generation', 'src/generation/upwards.ts', "import '../gallery/index.js';"],
  ['floors-gallery', 'src/gallery/upwards.ts', "import '../composition/app.module.js';"],
  ['floors-audit', 'src/audit/upwards.ts', "import '../cli/ledger.js';"],
  ['floors-gallery', 'src/gallery/audited.ts', "import '../audit/index.js';"],
  ['floors-privacy', 'src/privacy/archive/sideways.ts', "import '../../audit/index.js';"],
  ['floors-audit', 'src/audit/upwards-to-admin.ts', "import '../admin/admin.module.js';"],
  ['floors-admin', 'src/admin/acts/upwards.ts', "import '../../composition/app.module.js';"],
  ['floors-admin', 'src/admin/upwards-to-frame.ts', "import '../frame/frame.module.js';"],
  ['floors-frame', 'src/frame/upwards.ts', "import '../composition/app.module.js';"],
  ['readers-read-tables', 'src/audit/past-the-index.ts', "import '../credits/rules.js';"],
  ['readers-read-tables', 'src/privacy/archive/past-the-index.ts', "import '../../credits/rules.js';"],
  ['only-the-index', 'src/privacy/closing/past-the-index.ts', "import '../../credits/tables.js';"],
  ['only-the-index', 'src/sandbox/demo/seed-more.ts', "import '../../credits/rules.js';"],
  ['only-the-index', 'src/creators/past-the-face.ts', "import '../credits/rules.js';"],
  [
    'only-the-index',
    'src/gallery/past-the-types.ts',
    "import type { View } from '../generation/prompts/sanitise-prompt.js';\nexport type V = View;",
  ],
  ...['use-cases', 'reads', 'workers', 'providers', 'account', 'ledger'].map((folder): [string, string, string] => [
    'http-only-at-the-edge',
    `src/credits/${folder}/answer.ts`,
    "import type { Status } from '../../platform/http/status.js';\nexport type S = Status;",
  ]),
  ['http-only-at-the-edge', 'src/generation/reads/route.ts', "import '../http/routes.js';"],
  ['workers-call-use-cases', 'src/generation/use-cases/wake.ts', "import '../workers/sweep.js';"],
  ['composition-knows-the-faces', 'src/cli/verify.ts', "import '../credits/rules.js';"],
  ['sandbox-only-from-the-root', 'src/generation/test-mode.ts', "import '../sandbox/clerk.js';"],
  ['sandbox-only-from-the-root', 'src/shortcut.ts', "import './sandbox/clerk.js';"],
  ['sandbox-only-on-demand', 'src/composition/compose.ts', "import '../sandbox/index.js';"],
  ['sandbox-imports-no-context', 'src/sandbox/replicate.ts', "import '../creators/index.js';"],
  [
    'web-sees-the-contract-only',
    'web/src/reach.ts',
    "import type { creators } from '../../src/creators/index.js';\nexport type C = typeof creators;",
  ],
  ['shared-rules-are-pure', 'src/gallery/image-object.ts', "import '../platform/clock.js';"],
  [
    'contract-imports-only-itself',
    'src/contract/credits.ts',
    "import { rules } from '../credits/rules.js';\nexport type R = typeof rules;",
  ],
  ['calls-import-the-contract-and-validation', 'src/contract/calls/drawing.ts', "import 'test-tool';"],
  ['web-sees-no-request-class', 'web/src/lib/request.ts', "import '../../../src/contract/calls/generation.js';"],
  ['web-lib-is-the-ground', 'web/src/lib/upwards.ts', "import '../components/button.js';"],
  ['web-components-know-lib-only', 'web/src/components/upwards.tsx', "import '../features/creators/creator-page.js';"],
  ['web-features-are-separate', 'web/src/features/generation/sideways.ts', "import '../creators/creator-page.js';"],
  [
    'web-features-are-separate',
    'web/src/features/creators/lazily.ts',
    "export const page = () => import('../generation/prompt-page.js');",
  ],
  ['web-features-below-app', 'web/src/features/creators/upwards.ts', "import '../../app/routes.js';"],
  ['web-app-below-main', 'web/src/app/upwards.ts', "import '../main.js';"],
  ['server-does-not-see-web', 'src/platform/pages.ts', "import '../../web/src/main.js';"],
  ['no-tests-in-the-product', 'src/credits/helped.ts', "import '../../test/support/fakes.js';"],
  ['no-tests-in-the-product', 'src/credits/own-spec.ts', "import './rules.spec.js';"],
  ['no-circular', 'src/credits/egg.ts', "import type { Hen } from './hen.js';\nexport type E = Hen;"],
  ['no-circular', 'web/src/app/page.ts', "export * from './routes.js';"],
  ['no-orphans', 'src/credits/left-over.ts', 'export const leftOver = 1;'],
  ['not-to-unresolvable', 'src/credits/broken.ts', "import './nowhere.js';"],
  ['no-dev-packages-in-the-server', 'src/platform/tools.ts', "import 'test-tool';"],
];

/** Modules that the violations import. */
const importedModules = {
  'src/admin/admin.module.ts': "import '../creators/index.js';",
  'src/frame/frame.module.ts': "import '../creators/index.js';",
  'src/gallery/index.ts': 'export const gallery = 1;',
  'src/platform/http/status.ts': 'export type Status = 200;',
  'src/generation/http/routes.ts': 'export const routes = 1;',
  'src/credits/hen.ts': "import './egg.js';\nexport type Hen = 1;",
};

/** Writes a source tree to a new folder and returns the violations that dependency-cruiser finds, as "rule: file". */
function violationsIn(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'fanvas-folder-'));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${content}\n`);
  }
  for (const name of ['tsconfig.json', '.dependency-cruiser.cjs']) copyFileSync(join(root, name), join(folder, name));
  const output = execFileSync(
    process.execPath,
    [join(root, 'node_modules/.bin/depcruise'), 'src', 'web/src', '--output-type', 'json'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const { summary } = JSON.parse(output) as { summary: { violations: { rule: { name: string }; from: string }[] } };
  return [...new Set(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`))].sort();
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('context boundaries', () => {
  it('accepts imports that follow the rules', () => {
    expect(violationsIn(validTree)).toEqual([]);
  });

  describe('boundary rules', () => {
    let found: string[];
    beforeAll(() => {
      found = violationsIn({
        ...validTree,
        ...importedModules,
        ...Object.fromEntries(violations.map(([, file, line]) => [file, line])),
      });
    });

    it.each(violations)('rejects with %s an import in %s', (rule, file) => {
      expect(found).toContain(`${rule}: ${file}`);
    });
  });

  it('tests a violation of every rule, except for the floors of planned contexts', async () => {
    const config = (await import(join(root, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const proven = new Set(violations.map(([rule]) => rule));
    const unproven = config.default.forbidden.map(({ name }) => name).filter((name) => !proven.has(name));
    expect(unproven).toEqual(['floors-identity']);
  });
});
