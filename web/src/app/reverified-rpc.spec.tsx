import { afterEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Modal } from '../components/dialog.js';
import { fakeServer, verificationDemand, type FakeServer, onPage } from '../../test/page.js';
import { reportSession } from '../lib/auth.js';
import { reportReverification, VerificationCancelledError } from '../lib/reverification.js';
import { reverifiedRpc, VERIFICATION_CANCELLED } from '../lib/reverified-rpc.js';

const GRANT = { p_user_id: 'user_2', p_grant_id: 'grant_1', p_amount: 5, p_reason: 'A test' };
const GRANTED = { success: true };

/** Closes the dialog of the identity SDK; null while it is closed. */
let closeDialog: ((verified: boolean) => void) | null;
/** How often a token was asked for that is not from the cache. */
let freshTokens: number;

onPage(() => {
  closeDialog = null;
  freshTokens = 0;
  // As the hook of the SDK: one dialog, then one more call, whose result is final
  reportReverification(async (work) => {
    const first = await work();
    if (!Object.hasOwn(first as object, 'clerk_error')) return first;
    const verified = await new Promise<boolean>((resolve) => (closeDialog = resolve));
    if (!verified) throw new VerificationCancelledError();
    return work();
  });
  const getToken = (options?: { fresh?: boolean }): Promise<string> => {
    if (options?.fresh) freshTokens += 1;
    return Promise.resolve('token');
  };
  act(() => reportSession({ user: null, getToken, signOut: () => Promise.resolve(), ask: () => Promise.resolve() }));
});
afterEach(() => reportReverification(null));

/** Refuses the first calls because the verification is too old. */
function serverThatRefuses(count: number): FakeServer {
  let left = count;
  return fakeServer({ grant_bonus_credits: () => ((left -= 1) < 0 ? GRANTED : verificationDemand()) });
}

/** Starts the call and waits for the dialog. */
async function grantUntilDialog(): Promise<{ readonly granted: Promise<unknown> }> {
  const granted = reverifiedRpc('grant_bonus_credits', GRANT);
  // Each test expects the result later; until then, a rejection must not count as unhandled.
  granted.catch(() => undefined);
  await act(async () => {
    for (let turn = 0; turn < 50 && closeDialog === null; turn += 1) await Promise.resolve();
  });
  expect(closeDialog).not.toBeNull();
  return { granted };
}

describe('reverifiedRpc', () => {
  it('returns the answer of a call that needs no verification', async () => {
    const server = serverThatRefuses(0);
    await expect(reverifiedRpc('grant_bonus_credits', GRANT)).resolves.toEqual(GRANTED);
    expect(server.calls).toHaveLength(1);
  });

  it('sends the same call once more after the verification, with a fresh token', async () => {
    const server = serverThatRefuses(1);
    const { granted } = await grantUntilDialog();
    expect(freshTokens).toBe(0);
    await act(async () => {
      closeDialog?.(true);
      await expect(granted).resolves.toEqual(GRANTED);
    });
    expect(server.calls.map(({ body }) => body)).toEqual([GRANT, GRANT]);
    expect(freshTokens).toBe(1);
  });

  it('says that nothing was changed when the person closes the dialog', async () => {
    const server = serverThatRefuses(1);
    const { granted } = await grantUntilDialog();
    await act(async () => {
      closeDialog?.(false);
      await expect(granted).rejects.toMatchObject({
        code: VERIFICATION_CANCELLED,
        message: 'You closed the verification. Nothing was changed.',
      });
    });
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    ['the second call is refused too', true],
    ['the identity SDK has not loaded', false],
  ])('shows the refusal when %s', async (_, loaded) => {
    const server = serverThatRefuses(2);
    const refusal = { status: 403, message: 'Please verify your identity again to continue.' };
    if (!loaded) {
      reportReverification(null);
      await act(() => expect(reverifiedRpc('grant_bonus_credits', GRANT)).rejects.toMatchObject(refusal));
      return;
    }
    const { granted } = await grantUntilDialog();
    await act(async () => {
      closeDialog?.(true);
      await expect(granted).rejects.toMatchObject(refusal);
    });
    expect(server.calls).toHaveLength(2);
  });

  it('throws other refusals without a dialog', async () => {
    fakeServer({});
    await expect(reverifiedRpc('grant_bonus_credits', GRANT)).rejects.toMatchObject({ status: 404 });
    expect(closeDialog).toBeNull();
  });

  it('lets our own dialog wait with its contents while the dialog of the SDK has the focus', async () => {
    serverThatRefuses(1);
    const changes: boolean[] = [];
    render(
      <Modal open onOpenChange={(open) => changes.push(open)} title="Grant" description="5 credits" footer={null}>
        <input aria-label="Reason" />
      </Modal>,
    );
    const field = screen.getByLabelText<HTMLInputElement>('Reason');
    fireEvent.change(field, { target: { value: 'Thanks' } });
    expect(document.body.style.pointerEvents).toBe('none');

    const { granted } = await grantUntilDialog();
    expect(document.body.style.pointerEvents).not.toBe('none');
    const outside = document.body.appendChild(document.createElement('input'));
    outside.focus();
    fireEvent.pointerDown(outside);
    fireEvent.keyDown(outside, { key: 'Escape' });
    expect(document.activeElement).toBe(outside);

    await act(async () => {
      closeDialog?.(true);
      await granted;
    });
    expect(screen.getByLabelText('Reason')).toBe(field);
    expect(field.value).toBe('Thanks');
    expect(document.body.style.pointerEvents).toBe('none');
    expect(changes).toEqual([]);
    outside.remove();
  });
});
