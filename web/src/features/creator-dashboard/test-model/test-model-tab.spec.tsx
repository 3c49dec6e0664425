import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { OwnCreator } from '../../../../../src/contract/creators.js';
import type { GenerationView, TestGeneration } from '../../../../../src/contract/generation.js';
import {
  accessibilityFaults,
  fakeServer,
  generation,
  messages,
  never,
  OWN_CREATOR,
  pass,
  PICTURE,
  refusal,
  renderPage,
  type Answers,
  click,
  press,
  onPage,
} from '../../../../test/page.js';
import { TestModelTab } from './test-model-tab.js';

const TESTS = 'get_own_test_generations_by_jwt';
const ALLOWANCE = 'get_test_allowance_by_jwt';
const START = 'start_test_generation_by_jwt';
const RATE = 'rate_test_generation_by_jwt';

const allowance = (used: number) => ({ used_today: used, limit: 20, resets_at: '2026-11-23T00:00:00.000Z' });
const test = (fields: Partial<GenerationView> = {}, more: Partial<TestGeneration> = {}): TestGeneration => ({
  generation: generation({ credit_cost: 0, ...fields }),
  rating: null,
  note: '',
  total_count: 1,
  ...more,
});
const done = { status: 'completed', image: PICTURE, image_url: PICTURE.url } as const;

describe('TestModelTab', () => {
  onPage();

  const open = async (answers: Answers = {}, creator: Partial<OwnCreator> = {}) => {
    const server = fakeServer({ [TESTS]: [], [ALLOWANCE]: allowance(0), ...answers });
    await renderPage(<TestModelTab creator={{ ...OWN_CREATOR, ...creator }} />, '/creator');
    await pass(10);
    return server;
  };
  const field = (): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox');
  const generate = (): HTMLElement => screen.getByRole('button', { name: 'Generate' });
  const submit = async (prompt: string): Promise<void> => {
    fireEvent.change(field(), { target: { value: prompt } });
    fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true });
    await pass(10);
  };
  const thumbs = (name: string) => screen.getByRole('button', { name });

  it.each([
    ['the deployment', { deployment_name: 'fanvas/juno-v2', lora_id: 'lora-7' }, 'fanvas/juno-v2'],
    ['the LoRA without a deployment', { deployment_name: null, lora_id: 'lora-7' }, 'lora-7'],
  ])('[C2.22, C2.23] shows the identifier of %s', async (_, model, identifier) => {
    await open({}, model);
    expect(within(screen.getByRole('complementary', { name: 'Model' })).getByText(identifier)).toBeTruthy();
    expect(generate()).toBeTruthy();
  });

  it('grows with its text where the browser cannot do it by style', async () => {
    await open();
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Describe a test picture' });
    Object.defineProperty(field, 'scrollHeight', { value: 130 });
    fireEvent.change(field, { target: { value: 'line after line' } });
    expect(field.style.height).toBe('130px');
  });

  it('[C2.59] shows an admin the model read only, and no test of the creator', async () => {
    const server = fakeServer({});
    await renderPage(<TestModelTab creator={OWN_CREATOR} embedded />, '/admin/revenue-management/c1');
    await pass(10);
    const model = screen.getByRole('complementary', { name: 'Model' });
    expect(model.textContent).toContain(OWN_CREATOR.deployment_name);
    expect(screen.getByText('Only the creator tests this model. The test images are private.')).toBeTruthy();
    expect(screen.queryAllByRole('textbox')).toEqual([]);
    expect(server.calls).toEqual([]);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('[C2.22] shows that there is no model, in place of the prompt box', async () => {
    await open({}, { deployment_name: null, lora_id: null });
    expect(screen.getAllByText('No model configured').length).toBe(2);
    expect(
      screen.getByText('A representative will reach out to train it. You can test here as soon as it is ready.'),
    ).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('promises no training to a creator who has withdrawn', async () => {
    await open({}, { deployment_name: null, lora_id: null, withdrawn_at: '2026-11-01T10:00:00.000Z' });
    expect(screen.getByText('You have withdrawn your consent.')).toBeTruthy();
    expect(screen.queryByText(/representative will reach out/)).toBeNull();
  });

  it('starts a free test by Ctrl+Enter, follows it, and shows the picture', async () => {
    const server = await open({ [START]: { success: true, generation_id: 'g1', remaining_today: 19 } });
    expect(screen.getByText('0 of 20 today')).toBeTruthy();
    expect(
      screen.getByText('Tests are free, are seen by nobody but you and your representative, and earn nothing.'),
    ).toBeTruthy();
    expect(screen.getByText('No tests yet')).toBeTruthy();
    server.answer({ [TESTS]: [test({ phase: 'drawing' })], [ALLOWANCE]: allowance(1), get_generation_by_id: never });
    await submit('A brass band   on the roof');
    expect(server.calls.find(({ name }) => name === START)?.body).toEqual({ p_prompt: 'A brass band on the roof' });
    expect(screen.getByText('1 of 20 today')).toBeTruthy();
    expect(screen.getAllByRole('status').some(({ textContent }) => textContent === 'Generating: drawing')).toBe(true);
    expect(screen.getByRole('button', { name: 'Image Generating...' }).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText(generation().prompt).getAttribute('translate')).toBe('no');
    await submit('Another one');
    expect(server.count(START)).toBe(1);
  });

  it('follows a test that runs to its end', async () => {
    const running = test({ phase: 'drawing' });
    const server = await open({ [TESTS]: [running], get_generation_by_id: running.generation });
    server.answer({ [TESTS]: [test(done)], get_generation_by_id: { ...running.generation, ...done } });
    await pass(5_100);
    await pass(10);
    expect(screen.getAllByRole('status').some(({ textContent }) => textContent === 'Your test is ready')).toBe(true);
    expect(screen.getByRole('img', { name: 'A fox on the last train' })).toBeTruthy();
    expect(generate()).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it.each([
    ['moderation', 422, 'This prompt violates our content policy: explicit sexual content is not allowed.'],
    ['the daily limit', 429, 'You have used your 20 tests of today.'],
  ])('keeps the prompt when %s refuses the start', async (_, status, message) => {
    await open({ [START]: refusal(status, message) });
    await submit('A brass band');
    expect(screen.getByRole('alert').textContent).toBe(message);
    expect(field().value).toBe('A brass band');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('asks for a prompt', async () => {
    const server = await open();
    await submit('   ');
    expect(screen.getByRole('alert').textContent).toBe('Please describe the picture first.');
    expect(server.count(START)).toBe(0);
    expect(document.activeElement).toBe(field());
  });

  it('offers tests again when the next day of UTC begins', async () => {
    jest.setSystemTime(new Date('2026-11-22T22:00:00Z'));
    const server = await open({ [ALLOWANCE]: allowance(20) });
    expect(generate().getAttribute('aria-disabled')).toBe('true');
    server.answer({ [ALLOWANCE]: { ...allowance(0), resets_at: '2026-11-24T00:00:00.000Z' } });
    await pass(7_201_000);
    expect(generate().getAttribute('aria-disabled')).toBeNull();
    screen.getByText('0 of 20 today');
  });

  it('says when the next tests are free once those of today are used up', async () => {
    const server = await open({ [ALLOWANCE]: allowance(20) });
    expect(screen.getByText('You have used all 20 tests of today. The next ones are free at 00:00 UTC.')).toBeTruthy();
    await submit('A brass band');
    expect(server.count(START)).toBe(0);
  });

  it('offers to try a failed test again', async () => {
    await open({ [TESTS]: [test({ status: 'failed', error_message: 'Prediction interrupted' })] });
    expect(screen.getByText('Prediction interrupted')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(field().value).toBe('A fox on the last train');
    expect(document.activeElement).toBe(field());
  });

  it('rates a test at once, and takes the rating back', async () => {
    const server = await open({ [TESTS]: [test(done)], [RATE]: never });
    await click(thumbs('Good'), 0);
    expect(thumbs('Good').getAttribute('aria-pressed')).toBe('true');
    expect(server.calls.at(-1)).toEqual({
      name: RATE,
      body: { p_generation_id: 'g1', p_rating: 'good', p_note: null },
    });
  });

  it('asks what is wrong with a test, and returns the focus', async () => {
    const server = await open({ [TESTS]: [test(done)], [RATE]: { success: true } });
    thumbs('Not right').focus();
    fireEvent.click(thumbs('Not right'));
    const dialog = screen.getByRole('dialog', { name: 'What is not right?' });
    server.answer({ [TESTS]: [test(done, { rating: 'bad', note: 'The hands are wrong.' })] });
    fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: ' The hands are wrong. ' } });
    await click(within(dialog).getByRole('button', { name: 'Mark as not right' }), 10);
    expect(server.calls.find(({ name }) => name === RATE)?.body).toEqual({
      p_generation_id: 'g1',
      p_rating: 'bad',
      p_note: 'The hands are wrong.',
    });
    expect(screen.getByText('The hands are wrong.')).toBeTruthy();
    expect(thumbs('Not right').getAttribute('aria-pressed')).toBe('true');
    expect(document.activeElement).toBe(thumbs('Not right'));
  });

  it('shows the old rating again when the new one cannot be saved', async () => {
    await open({ [TESTS]: [test(done)], [RATE]: refusal(404, 'Generation not found or access denied') });
    await click(thumbs('Good'), 10);
    expect(thumbs('Good').getAttribute('aria-pressed')).toBe('false');
    expect(messages()).toEqual(['Your rating could not be saved.']);
  });

  it('shows a page of tests at a time', async () => {
    const server = await open({ [TESTS]: [test(done, { total_count: 13 })] });
    await press('Next', 10);
    expect(server.calls.at(-1)).toEqual({ name: TESTS, body: { p_limit: 12, p_offset: 12 } });
    expect(screen.getByText('Page 2 of 2')).toBeTruthy();
  });

  it('shows that the tests could not be loaded, and loads them again', async () => {
    const server = await open({ [TESTS]: refusal(400, 'Something went wrong.') });
    expect(screen.getAllByRole('alert').some(({ textContent }) => textContent?.includes('could not be loaded'))).toBe(
      true,
    );
    server.answer({ [TESTS]: [] });
    await press('Retry', 10);
    expect(screen.getByText('No tests yet')).toBeTruthy();
  });

  it('has no accessibility faults while it loads', async () => {
    await open({ [TESTS]: never, [ALLOWANCE]: never });
    expect(screen.getByText('Loading your tests')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });
});
