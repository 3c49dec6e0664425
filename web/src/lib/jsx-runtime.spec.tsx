import { expect, it } from '@jest/globals';
import { render } from '@testing-library/react';
import { translatePage, translationFaults } from '../../test/translated-page.js';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

it('changes a text of several pieces on a translated page', async () => {
  const Price = ({ count, free }: { readonly count: number; readonly free: boolean }): React.ReactNode => (
    <p>
      {count} credits{free && ', refunded if it fails'}
      {null}.
    </p>
  );
  const { container, rerender } = render(<Price count={10} free />);
  translatePage();
  expect(container.innerHTML).toBe('<p><font>10 credits, refunded if it fails.</font></p>');
  rerender(<Price count={0} free={false} />);
  await turn();
  expect(container.innerHTML).toBe('<p><font>0 credits.</font></p>');
});

it('keeps the state of elements next to text', () => {
  const Field = ({ label }: { readonly label: string | null }): React.ReactNode => (
    <label>
      <span>{label}</span>
      <input />
    </label>
  );
  const { container, rerender } = render(<Field label={null} />);
  const input = container.querySelector('input');
  rerender(<Field label="Name" />);
  expect(container.querySelector('input')).toBe(input);
});

it.each<[change: string, (on: boolean) => React.ReactNode]>([
  [
    'removes',
    (on) => (
      <p>
        {on && 'Hidden'} <b>picture</b>
      </p>
    ),
  ],
  [
    'changes',
    (on) => (
      <p>
        {on ? 'Hide' : 'Show'} <b>picture</b>
      </p>
    ),
  ],
  [
    'inserts something before',
    (on) => (
      <p>
        <i>A</i>
        {!on && <b>new</b>} picture
      </p>
    ),
  ],
])('has a translated page report that React %s a text', (change, draw) => {
  const { rerender } = render(draw(true));
  rerender(draw(false));
  expect(translationFaults()).toEqual([expect.stringContaining(`React ${change} the text`)]);
});
