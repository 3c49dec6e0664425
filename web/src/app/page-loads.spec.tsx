import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { createMemoryRouter } from 'react-router-dom';
import { PAGE_LOADS } from '../../test/page-loads.js';
import { type Answers, fakeServer, pass, screenIs, onPage, renderRoutes } from '../../test/page.js';
import { adminPages } from './admin-pages.js';
import { auditPages } from './audit-pages.js';
import { financePages } from './finance-pages.js';
import { creatorPages, pages } from './pages.js';
import { routes } from './routes.js';
import './shell/account-cluster.js';
import './shell/signed-in-extras.js';
import '../features/creator-dashboard/creator-dashboard.js';

const NOW = '2026-11-22T09:40:02.000Z';

const CONFIG = { clerkPublishableKey: 'pk_test_x', clerkProxyUrl: null, styleNonce: 'x', sandbox: false, demo: null };

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

type Calls = Readonly<Record<string, { readonly response: Schema }>>;

/** The types of the contract, as the build writes them. */
interface Contract {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly rpc: Calls;
  readonly functions: Calls;
  readonly tables: Readonly<Record<string, Schema>>;
}

async function readContract(): Promise<Contract> {
  const build = new URL('../../../scripts/lib/build.mjs', import.meta.url).href;
  // A program of JavaScript, which has no types here.
  const { ensureContractBuilt } = (await import(build)) as { ensureContractBuilt: () => Promise<string> };
  return JSON.parse(readFileSync(await ensureContractBuilt(), 'utf8')) as Contract;
}

/** Fields whose values pages read. */
const FIELDS: Readonly<Record<string, unknown>> = {
  username: 'juno',
  creator_username: 'juno',
  status: 'completed',
  month: '2026-10',
  bought_month: '2026-10',
  currency: 'usd',
  country: 'US',
  next_to_close: '2026-10',
  creator_status: 'active',
  thumbhash: '',
  roles: ['admin', 'finance', 'auditor'],
  // Without them, each page asks for them.
  daily_credits_last_granted: NOW.slice(0, 10),
  paused: false,
  paused_at: null,
  withdrawn: false,
  withdrawn_at: null,
  moderation: null,
  sources: [],
};

/** A value of a type: each list has one row, nothing is missing, and each text is a time. */
function sample({ schemas }: Contract, schema: Schema, name = ''): unknown {
  const valueOf = (inner: Schema, key = name): unknown => sample({ schemas } as Contract, inner, key);
  if (schema.$ref !== undefined) return valueOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (name in FIELDS && (schema.enum?.includes(FIELDS[name]) ?? true)) return FIELDS[name];
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return valueOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {});
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((each) => each !== 'null');
  if (type === 'array') return [valueOf(schema.items ?? {})];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'string') return schema.format === 'date' ? NOW.slice(0, 10) : NOW;
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valueOf(value, key)]));
}

/** Answers to every call of the contract. */
function answersOf(contract: Contract): Answers {
  const calls = Object.entries({ ...contract.rpc, ...contract.functions });
  const answers: Answers = {
    ...Object.fromEntries(calls.map(([name, { response }]) => [name, sample(contract, response)])),
    ...Object.fromEntries(Object.entries(contract.tables).map(([name, row]) => [name, [sample(contract, row)]])),
  };
  // The page asks for the figures of each row.
  const [row] = answers['list_revenue_creators_admin'] as object[];
  const rows = Array.from({ length: 24 }, (_, index) => ({ ...row, id: `c${index}` }));
  // Find reads all pages.
  const creators = { ...(answers['list_creator_liabilities'] as object), next: null };
  return { ...answers, list_revenue_creators_admin: rows, list_creator_liabilities: creators };
}

const all = [...pages, ...creatorPages, ...adminPages, ...auditPages, ...financePages];
/** The areas have pages of their own. */
const PATHS = all.map(({ path }) => path).filter((path) => !/^\/(admin|audit|finance)\/\*$/.test(path));

/** The part of an address without which a page shows nothing. */
const SEARCHES: Readonly<Record<string, string>> = {
  '/payment-success': '?session_id=x',
  '/closed-account': '#x',
  '/audit/find': '?id=x',
  '/finance/find': '?q=x',
  '/finance/entries': '?account=4000',
};

describe('loads of pages', () => {
  let answers: Answers;
  beforeAll(async () => {
    answers = answersOf(await readContract());
    const config = document.createElement('script');
    Object.assign(config, { id: 'fanvas-config', type: 'application/json', textContent: JSON.stringify(CONFIG) });
    document.head.append(config);
    await Promise.all(all.map((page) => page.load()));
  });
  onPage(() => {
    screenIs(true);
    jest.setSystemTime(new Date(NOW));
  });
  afterEach(() => window.history.replaceState(null, '', '/'));

  it('lists every page', () => {
    expect(Object.keys(PAGE_LOADS)).toEqual(PATHS);
  });

  it.each(PATHS)('makes the listed calls: %s', async (path) => {
    const filled = path
      .replace('/*', '')
      .replace(':month', '2026-10')
      .replace(':username', 'juno')
      .replace(/:\w+/g, '1');
    window.history.replaceState(null, '', filled + (SEARCHES[path] ?? ''));
    const server = fakeServer(answers);
    const router = createMemoryRouter(routes[0]?.children ?? [], {
      initialEntries: [filled + (SEARCHES[path] ?? '')],
    });
    renderRoutes(router);
    const listed = PAGE_LOADS[path] ?? [];
    for (let step = 0; step < 200 && server.calls.length < listed.length; step++) await pass(50);
    // Time for calls that are not listed.
    for (let step = 0; step < 5; step++) await pass(50);
    expect(screen.queryByText('Something went wrong')).toBeNull();
    expect(server.calls.map(({ name }) => name).sort()).toEqual([...listed].sort());
  });
});
