import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import {
  fakeServer,
  generation,
  messages,
  onPage,
  pass,
  PICTURE,
  press,
  pressKey,
  refusal,
  renderPage,
} from '../../../../test/page.js';
import { promptHistory } from '../prompt-history.js';
import { OwnerActions } from './owner-actions.js';

const row = generation({ status: 'completed', image: PICTURE, prompt: 'a fox' });
const nothing = (): void => undefined;
const open = () => renderPage(<OwnerActions row={row} onChange={nothing} onListsChange={nothing} />);

describe('OwnerActions', () => {
  onPage();

  it('stays open while the deletion runs, and shows its failure', async () => {
    const slow = async (): Promise<unknown> => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return refusal(400, 'It is being reviewed.');
    };
    fakeServer({ delete_generation_by_jwt: slow });
    await open();
    await press('Delete');
    await press('Delete image');
    const keep = screen.getByRole('button', { name: 'Keep it' });
    expect(keep.getAttribute('aria-disabled')).toBe('true');
    await press('Keep it');
    await pressKey('Escape');
    await pass(1_000);
    expect(screen.getByRole('alert').textContent).toBe('It could not be deleted. It is being reviewed.');
    await press('Keep it');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('deletes the prompt from the history of this browser too', async () => {
    promptHistory.add('user_1', 'a fox');
    promptHistory.add('user_1', 'an owl');
    fakeServer({ delete_generation_by_jwt: { success: true } });
    await open();
    await press('Delete');
    await press('Delete image');
    expect(messages()).toEqual(['The image was deleted.']);
    expect(promptHistory.list('user_1')).toEqual(['an owl']);
  });
});
