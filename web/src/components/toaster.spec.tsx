import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { copyLink, copyText } from './copy.js';
import { dismissToast, shownToasts, toast } from './toast.js';
import Toaster from './toaster.js';

describe('Toaster', () => {
  beforeEach(async () => {
    jest.useFakeTimers();
    await act(async () => render(<Toaster />));
  });
  afterEach(() => {
    act(() => shownToasts().forEach(({ id }) => dismissToast(id)));
    cleanup();
    jest.useRealTimers();
  });

  const say = (options: Parameters<typeof toast>[0]): Promise<() => void> => act(async () => toast(options));
  const wait = (ms: number): Promise<void> => act(async () => jest.advanceTimersByTime(ms));
  const titles = (): string[] => shownToasts().map(({ title }) => title);
  const region = (): HTMLElement => screen.getByRole('region', { name: 'Notifications' });

  it('shows a message in the live region for five seconds', async () => {
    await say({ kind: 'success', title: 'Link copied to clipboard!' });
    expect(within(region()).getAllByText('Link copied to clipboard!')).toHaveLength(1);
    expect(region().querySelector('[aria-live=polite]')).not.toBeNull();
    await wait(4999);
    expect(titles()).toEqual(['Link copied to clipboard!']);
    await wait(1);
    expect(titles()).toEqual([]);
  });

  it.each([
    ['without a clipboard', undefined],
    ['whose clipboard refuses', { writeText: () => Promise.reject(new DOMException('No.', 'NotAllowedError')) }],
  ])('shows what could not be copied in a field that selects it, in a browser %s', async (_, clipboard) => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    await act(async () => copyLink('https://fanvas.example/junoabara'));
    await act(async () => copyText('Hash', 'c0ffee'));
    expect(titles()).toEqual(['The link could not be copied.', 'Hash could not be copied.']);
    const fields = screen.getAllByRole<HTMLInputElement>('textbox');
    expect(fields.map(({ value, readOnly }) => [value, readOnly])).toEqual([
      ['https://fanvas.example/junoabara', true],
      ['c0ffee', true],
    ]);
    fields[0]!.focus();
    expect([fields[0]!.selectionStart, fields[0]!.selectionEnd]).toEqual([0, fields[0]!.value.length]);
    await wait(60_000);
    expect(titles()).toHaveLength(2);
  });

  it('keeps an error, as an alert, until it is dismissed', async () => {
    await say({
      kind: 'error',
      title: 'You are offline.',
      description: 'This page goes on once the connection is back.',
    });
    await wait(60_000);
    expect(screen.getByRole('alert').textContent).toContain('You are offline.');
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(titles()).toEqual([]);
  });

  it('keeps a message with an action until the action is taken', async () => {
    const onClick = jest.fn();
    await say({ title: 'Your image is ready', action: { label: 'View', href: '/juno/generate/1', onClick } });
    await wait(60_000);
    const link = screen.getByRole('link', { name: 'View' });
    expect(link.getAttribute('href')).toBe('/juno/generate/1');
    fireEvent.click(link);
    expect(onClick).toHaveBeenCalledTimes(1);
    expect(titles()).toEqual([]);
  });

  it('shows the same text once and at most three messages', async () => {
    for (const title of ['one', 'two', 'two', 'three', 'four']) await say({ title });
    expect(titles()).toEqual(['two', 'three', 'four']);
  });

  it('keeps a name and what a person wrote from translation', async () => {
    await say({ kind: 'success', title: 'June is suspended.', name: 'June' });
    await say({ title: 'Your image is ready', description: 'a june night', isQuote: true });
    const kept = [...region().querySelectorAll('[translate=no]')].map(({ textContent }) => textContent);
    expect(kept).toEqual(['June', 'a june night']);
    expect(region().textContent).toBe('June is suspended.Your image is readya june night');
  });

  it('pauses while the pointer is over the messages', async () => {
    await say({ title: 'Password copied' });
    await wait(3000);
    fireEvent.pointerMove(region());
    await wait(60_000);
    expect(titles()).toEqual(['Password copied']);
    fireEvent.pointerLeave(region());
    await wait(2000);
    expect(titles()).toEqual([]);
  });

  it('moves the focus to the messages with F8', async () => {
    await say({ title: 'Password copied' });
    fireEvent.keyDown(document, { code: 'F8' });
    expect(region().contains(document.activeElement)).toBe(true);
  });

  it.each([
    ['at the top where it would cover the control that was pressed', 600, true],
    ['at the foot elsewhere', 300, false],
  ])('shows a message %s', async (_, top, atTop) => {
    const control = document.body.appendChild(document.createElement('button'));
    control.click();
    const rect = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return this === control ? new DOMRect(500, top, 120, 40) : new DOMRect(400, 620, 440, 52);
    });
    await say({ kind: 'error', title: 'Failed to cancel generation. Please try again.' });
    expect(region().querySelector('.toasts')?.classList.contains('at-top')).toBe(atTop);
    rect.mockRestore();
    control.remove();
  });

  it('removes a message', async () => {
    const remove = await say({ kind: 'error', title: 'You are offline.' });
    act(remove);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
