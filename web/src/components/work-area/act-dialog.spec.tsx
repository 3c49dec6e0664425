import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { onPage, pass, press, pressKey, renderPage, type } from '../../../test/page.js';
import { SaidError } from '../../lib/problem-of.js';
import { ActDialog } from './act-dialog.js';

const nothing = (): void => undefined;

function Page({ act }: { readonly act: () => Promise<void> }): React.ReactNode {
  const [open, setOpen] = useState(true);
  if (!open) return <p>Closed</p>;
  return (
    <ActDialog
      title="Delete the model of Ada Fan?"
      name="Ada Fan"
      confirmName="Ada Fan"
      description="For good."
      action="Delete"
      danger
      act={act}
      done={() => 'Deleted.'}
      refresh={nothing}
      onClose={() => setOpen(false)}
    />
  );
}

describe('ActDialog', () => {
  onPage();

  it('waits for the name, in upper or lower case', async () => {
    await renderPage(<Page act={() => Promise.resolve()} />);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    type('Type Ada Fan to confirm', 'Ada');
    expect(button.disabled).toBe(true);
    type('Type Ada Fan to confirm', ' ada fan ');
    expect(button.disabled).toBe(false);
  });

  it('stays open while the act is under way, so that a refusal is seen', async () => {
    let refuse: (error: Error) => void = nothing;
    await renderPage(<Page act={() => new Promise((_, reject) => (refuse = reject))} />);
    type('Type Ada Fan to confirm', 'Ada Fan');
    await press('Delete');
    await pressKey('Escape');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    refuse(new SaidError('The model is in use.'));
    await pass(50);
    expect(screen.getByText('The model is in use.')).toBeTruthy();
    await press('Cancel');
    expect(screen.getByText('Closed')).toBeTruthy();
  });
});
