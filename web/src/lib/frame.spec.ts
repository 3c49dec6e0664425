import { afterEach, describe, expect, it } from '@jest/globals';
import type { Frame } from '../../../src/contract/frame.js';
import { asFan, asVisitor, fakeServer, never, pass, refusal, onPage } from '../../test/page.js';
import { callRpc } from './api.js';
import { frameFirst } from './frame.js';
import { dropData, refreshQueries } from './query.js';

const ANSWER: Frame = { roles: ['finance'], is_creator: true, has_active_generation: false, suspension: null };
const roles = () => frameFirst('get_own_roles_by_jwt', () => callRpc('get_own_roles_by_jwt', {}));
const suspension = () => frameFirst('get_own_suspension_by_jwt', () => callRpc('get_own_suspension_by_jwt', {}));

describe('frameFirst', () => {
  onPage();
  afterEach(() => window.history.replaceState(null, '', '/'));

  const server = () =>
    fakeServer({ get_frame: ANSWER, get_own_roles_by_jwt: ['admin'], get_own_suspension_by_jwt: null });
  const namesOf = ({ calls }: ReturnType<typeof fakeServer>): string[] => calls.map(({ name }) => name);

  it('asks once for all that the frame of a page shows', async () => {
    const calls = server();
    const reads = [roles(), suspension(), frameFirst('creators', never), frameFirst('check_admin_by_jwt', never)];
    expect(await Promise.all(reads)).toEqual([['finance'], null, true, false]);
    expect(calls.calls).toEqual([{ name: 'get_frame', body: {} }]);
  });

  it('takes each later answer from the call of its own', async () => {
    const calls = server();
    await roles();
    expect(await roles()).toEqual(['admin']);
    expect(namesOf(calls)).toEqual(['get_frame', 'get_own_roles_by_jwt']);
  });

  it('takes no part that is older than half a minute', async () => {
    const calls = server();
    await roles();
    await pass(30_000);
    await suspension();
    expect(namesOf(calls)).toEqual(['get_frame', 'get_own_suspension_by_jwt']);
  });

  it('takes no part that is older than a change', async () => {
    const calls = server();
    await roles();
    await refreshQueries('credits');
    await suspension();
    expect(namesOf(calls)).toEqual(['get_frame', 'get_own_suspension_by_jwt']);
  });

  it.each([
    ['was refused', refusal(429, 'Too many requests.')],
    ['has no such part', {}],
  ])('asks the call of its own when the frame %s', async (_, frame) => {
    const calls = server();
    calls.answer({ get_frame: frame });
    expect(await roles()).toEqual(['admin']);
    expect(namesOf(calls)).toEqual(['get_frame', 'get_own_roles_by_jwt']);
  });

  it('asks again for another person, and after all data was dropped', async () => {
    const calls = server();
    await roles();
    asFan({ id: 'user_2' });
    await roles();
    dropData();
    await roles();
    expect(calls.count('get_frame')).toBe(3);
  });

  it('asks nothing for a visitor', async () => {
    const calls = server();
    asVisitor();
    await roles();
    expect(calls.count('get_frame')).toBe(0);
  });

  it.each([
    ['/admin/users', { p_area: 'admin' }],
    ['/finance', { p_area: 'finance' }],
    ['/audit/seals', { p_area: 'audit' }],
    ['/audit/verify', {}],
    ['/administrator', {}],
  ])('asks for what is open in the work area of the page: %s', async (path, body) => {
    const calls = server();
    window.history.replaceState(null, '', path);
    await roles();
    expect(calls.calls).toEqual([{ name: 'get_frame', body }]);
  });
});
