/** @jest-environment ./web/browser-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { endPage, fakeServer, pass, renderPage, startPage, type Answers } from '../../../../test/page.js';
import { runningPath } from '../navigation.js';
import { PromptBar } from './prompt-bar.js';

const START = 'start_generation_by_jwt';
const ACTIVE = 'has_active_pending_generation_jwt';
const creator = { id: 'c1', name: 'Juno Abara', username: 'junoabara', can_generate: true, credit_cost: 15 };
const started = { success: true, generation_id: 'g1', prediction_id: null, status: 'pending' };

describe('PromptBar', () => {
  const onCreditsChange = jest.fn();
  beforeEach(() => {
    startPage();
    // jsdom has no fonts
    Object.defineProperty(document, 'fonts', { configurable: true, value: { ready: Promise.resolve() } });
    onCreditsChange.mockClear();
  });
  afterEach(endPage);

  const open = async (answers: Answers = {}) => {
    const server = fakeServer({ [ACTIVE]: false, [START]: started, ...answers });
    await renderPage(<PromptBar creator={creator} onCreditsChange={onCreditsChange} />, '/junoabara');
    return server;
  };
  const write = (text: string): void => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: text } });
  };
  const button = (): HTMLElement => screen.getByRole('button', { name: /^Generate/ });

  it('starts one generation for a double press', async () => {
    const server = await open({ [START]: () => new Promise((resolve) => setTimeout(() => resolve(started), 500)) });
    write('A fox on the last train');
    const form = screen.getByRole('form');
    // Both presses in one frame: no render between them.
    act(() => {
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await pass(100);
    fireEvent.submit(form);
    await pass(1000);
    expect(server.count(START)).toBe(1);
    expect(screen.getByTestId('path').textContent).toBe('/junoabara/generate/g1');
  });

  it('shows the price of the creator on the button, and starts at this price', async () => {
    const server = await open();
    write('A fox on the last train');
    expect(button().textContent).toContain('15 credits');
    fireEvent.click(button());
    await pass(100);
    expect(server.calls.find(({ name }) => name === START)?.body).toMatchObject({
      p_creator_id: 'c1',
      p_credit_cost: 15,
    });
  });

  it('reports the deduction once the generation has started, and remembers it', async () => {
    await open();
    write('A fox on the last train');
    expect(onCreditsChange).not.toHaveBeenCalled();
    fireEvent.click(button());
    await pass(100);
    expect(onCreditsChange.mock.calls).toEqual([['deduction']]);
    expect(runningPath()).toBe('/junoabara/generate/g1');
  });

  it('stays on the page with the prompt, and reports no deduction, when the start is refused', async () => {
    const server = await open();
    server.answer({ [START]: () => Promise.reject(new TypeError('no network')) });
    write('A fox on the last train');
    fireEvent.click(button());
    await pass(100);
    expect(screen.getByRole('alert').textContent).toContain('Error starting image generation. Please try again.');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('A fox on the last train');
    expect(onCreditsChange).not.toHaveBeenCalled();
  });

  it('polls while another generation runs, every 5 s, and stops when it has ended', async () => {
    const server = await open({ [ACTIVE]: true });
    expect(screen.getByRole('button', { name: 'Image Generating...' })).toBeTruthy();
    await pass(10_000);
    expect(server.count(ACTIVE)).toBe(3);
    server.answer({ [ACTIVE]: false });
    await pass(5_001);
    expect(button()).toBeTruthy();
    await pass(3_600_000);
    expect(server.count(ACTIVE)).toBe(4);
  });
});
