import { describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { fakeServer, pass, refusal, renderPage, onPage } from '../../test/page.js';
import { rpc } from '../lib/api.js';
import { problemOf } from '../lib/problem-of.js';
import { useRpc } from '../lib/use-rpc.js';
import { TooFast } from './too-fast.js';

const limit = (seconds: string) => refusal(429, 'Too many requests.', { 'retry-after': seconds });

function Page(): React.ReactNode {
  const { data, error } = useRpc('get_admin_health', {});
  return (
    <>
      <TooFast />
      <p>{data ? 'The figures' : (problemOf(error) ?? 'Loading')}</p>
    </>
  );
}

describe('TooFast', () => {
  onPage();

  const countdown = (): string | undefined => /Again in ([\d:]+)\./.exec(document.body.textContent)?.[1];

  it('counts down to the end of the limit, and then the page loads by itself', async () => {
    const server = fakeServer({ get_admin_health: limit('70') });
    await renderPage(<Page />);
    expect([screen.getByRole('status').textContent, countdown()]).toEqual([
      'Rate limit exceeded. Please try again in a moment.',
      '1:10',
    ]);
    expect(screen.getByText('Too many requests.')).toBeDefined();
    await pass(60_000);
    expect([countdown(), server.calls.length]).toEqual(['0:10', 1]);
    server.answer({ get_admin_health: {} });
    await pass(10_000);
    await pass(100);
    expect(screen.getByText('The figures')).toBeDefined();
    expect([countdown(), server.calls.length]).toEqual([undefined, 2]);
  });

  it('counts down after a refused act, such as the start of an image', async () => {
    fakeServer({ get_admin_health: {}, start_generation_by_jwt: limit('44') });
    await renderPage(<Page />);
    const start = () => rpc('start_generation_by_jwt', { p_prompt: 'a harbour', p_creator_id: 'c1' });
    await act(() => start().catch(() => undefined));
    expect(countdown()).toBe('0:44');
    await pass(44_000);
    expect(countdown()).toBeUndefined();
  });

  it('counts down again when the limit refuses the page again', async () => {
    const server = fakeServer({ get_admin_health: limit('20') });
    await renderPage(<Page />);
    await pass(20_000);
    expect([countdown(), server.calls.length]).toEqual(['0:20', 2]);
  });

  it('loads the page again by itself when a busy server answers, without a countdown', async () => {
    const server = fakeServer({ get_admin_health: refusal(503, 'The service is busy.', { 'retry-after': '5' }) });
    await renderPage(<Page />);
    expect([countdown(), screen.queryByText('The service is busy.') !== null]).toEqual([undefined, true]);
    await pass(5_000);
    expect(server.calls).toHaveLength(2);
    server.answer({ get_admin_health: {} });
    await pass(5_100);
    expect(screen.getByText('The figures')).toBeDefined();
    expect(server.calls).toHaveLength(3);
  });

  it('loads a page in a hidden tab once the tab is shown', async () => {
    const shown = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const server = fakeServer({ get_admin_health: refusal(503, 'The service is busy.', { 'retry-after': '5' }) });
    await renderPage(<Page />);
    await pass(60_000);
    expect(server.calls).toHaveLength(1);
    server.answer({ get_admin_health: {} });
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(100);
    expect(server.calls).toHaveLength(1);
    shown.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(100);
    expect(screen.getByText('The figures')).toBeDefined();
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(60_000);
    expect(server.calls).toHaveLength(2);
    shown.mockRestore();
  });

  it('leaves other errors to the page', async () => {
    const server = fakeServer({ get_admin_health: refusal(403, 'No.') });
    await renderPage(<Page />);
    await pass(120_000);
    expect([countdown(), server.calls.length]).toEqual([undefined, 1]);
  });
});
