import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { copySources, follow, type Step } from '../support/recipe.js';

jest.setTimeout(60_000);

const REQUEST_TOUR = 'test/support/request-tour/applications.ts';
const TSC = 'node_modules/typescript-native/bin/tsc';

/** The steps of the recipe in CONTRIBUTING.md, for a call that lists creators and its page. */
const STEPS: readonly Step[] = [
  [
    'src/contract/creators.ts',
    'export const TAX_STATUSES',
    'export interface NewestCreator {\n  readonly username: string;\n  readonly name: string;\n}\n\nexport const TAX_STATUSES',
  ],
  ['src/contract/calls/creators.ts', '  type ModelDeletion,\n', '  type ModelDeletion,\n  type NewestCreator,\n'],
  [
    'src/contract/calls/creators.ts',
    'export interface CreatorCalls {',
    `export class NewestCreatorsRequest extends PageRequest {
  @Optional(IsText(100))
  p_search?: string;
}

export interface CreatorCalls {
  list_newest_creators: { request: NewestCreatorsRequest; response: NewestCreator[] };`,
  ],
  [
    'src/creators/reads/list-newest-creators.ts',
    null,
    `import { QueryHandler } from '@nestjs/cqrs';
import { type NewestCreator } from '../../contract/creators.js';
import { QueryOf, ReadHandler } from '../../platform/messages.js';
import { type CreatorTables } from '../tables.js';

export class ListNewestCreators extends QueryOf<{ readonly search: string; readonly limit: number }, NewestCreator[]> {}

@QueryHandler(ListNewestCreators)
export class ListNewestCreatorsHandler extends ReadHandler<CreatorTables, ListNewestCreators> {
  async execute({ input: { search, limit } }: ListNewestCreators): Promise<NewestCreator[]> {
    const creators = this.db.selectFrom('creator').select(['username', 'name']).where('name', 'ilike', search + '%');
    return creators.orderBy('created_at', 'desc').limit(limit).execute();
  }
}
`,
  ],
  [
    'src/creators/http/creators.controller.ts',
    'import { AnyCreatorById, TermsAcceptanceRequest }',
    'import { AnyCreatorById, NewestCreatorsRequest, TermsAcceptanceRequest }',
  ],
  [
    'src/creators/http/creators.controller.ts',
    "import { ListCreatorRows } from '../reads/list-creator-rows.js';",
    "import { ListCreatorRows } from '../reads/list-creator-rows.js';\nimport { ListNewestCreators } from '../reads/list-newest-creators.js';",
  ],
  [
    'src/creators/http/creators.controller.ts',
    '  type CreatorInfoForSharing,\n',
    '  type CreatorInfoForSharing,\n  type NewestCreator,\n',
  ],
  [
    'src/creators/http/creators.controller.ts',
    '  /** Everyone reads approved creators',
    `  @Rpc('list_newest_creators', { access: 'public', limit: RATE_LIMITS.publicData })
  async newest(@Body() { p_search: search = '', p_limit: limit = 24 }: NewestCreatorsRequest): Promise<NewestCreator[]> {
    return this.queries.execute(new ListNewestCreators({ search, limit }));
  }

  /** Everyone reads approved creators`,
  ],
  [
    'src/creators/reads/handlers.ts',
    "export { ListCreatorRowsHandler } from './list-creator-rows.js';",
    "export { ListCreatorRowsHandler } from './list-creator-rows.js';\nexport { ListNewestCreatorsHandler } from './list-newest-creators.js';",
  ],
  [
    REQUEST_TOUR,
    "  await rpc('get_own_questions_by_jwt', applicant);\n",
    "  await rpc('get_own_questions_by_jwt', applicant);\n  await rpc('list_newest_creators', applicant);\n",
  ],
  [
    'web/src/features/creators/newest-page.tsx',
    null,
    `import { useRpc } from '../../lib/use-rpc.js';

export default function NewestPage(): React.ReactNode {
  const { data = [] } = useRpc('list_newest_creators', { p_search: 'A' });
  return <ul>{data.map(({ username, name }) => <li key={username}>{name}</li>)}</ul>;
}
`,
  ],
  [
    'web/src/app/pages.ts',
    "  { path: '/faq',",
    "  { path: '/newest', load: () => import('../features/creators/newest-page.js') },\n  { path: '/faq',",
  ],
];

let copy: string;

beforeAll(() => {
  copy = copySources(['src', 'web', 'package.json', 'tsconfig.json', 'CONTRIBUTING.md', REQUEST_TOUR]);
  follow(STEPS, copy);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Checks the types of a file and its imports in the copy. @returns the messages of the compiler */
function problemsOf(file: string, project: string): string {
  const settings = join(copy, project, 'tsconfig.recipe.json');
  writeFileSync(settings, JSON.stringify({ extends: './tsconfig.json', include: [], files: [join(copy, file)] }));
  return spawnSync(process.execPath, [TSC, '--noEmit', '--singleThreaded', '-p', settings], {
    cwd: copy,
    encoding: 'utf8',
  }).stdout;
}

describe('the recipe of a call', () => {
  it('lists the eight files of a call with a list and a page', () => {
    const section = /## A new call\n([^]*?)\n## /.exec(readFileSync(join(copy, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';
    const listed = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, pattern = '']) => pattern);
    const patterns = listed.map((path) => new RegExp(`^${path.replace(/<\w+>/g, '[\\w.-]+')}$`));
    const files = [...new Set(STEPS.map(([file]) => file))];
    expect(files.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
    expect([files.length, listed.length]).toEqual([8, 8]);
  });

  it('compiles on the server and in the browser', () => {
    expect(problemsOf('src/creators/creators.module.ts', '.')).toBe('');
    expect(problemsOf('web/src/features/creators/newest-page.tsx', 'web')).toBe('');
  });
});
