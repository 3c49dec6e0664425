import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { asVisitor, fakeServer, messages, never, renderPage, press, pressKey, onPage } from '../../../../test/page.js';
import { ReportImage } from './report-dialog.js';

const REPORT = 'report_generation';

describe('ReportImage', () => {
  onPage();

  it.each([
    [false, 'Thank you for the report.'],
    [true, 'You have reported this image before.'],
  ])('asks for a reason, then sends the report (reported before: %s)', async (before, message) => {
    const server = fakeServer({ [REPORT]: { success: true, already_reported: before } });
    await renderPage(<ReportImage generationId="g1" />);
    await press('Report');
    await press('Send report');
    expect(screen.getByRole('alert').textContent).toBe('Please choose a reason.');
    expect(server.count(REPORT)).toBe(0);
    fireEvent.click(screen.getByRole('radio', { name: 'Something else' }));
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'It looks like somebody I know.' } });
    await press('Send report');
    expect(server.calls.map(({ body }) => body)).toEqual([
      { p_generation_id: 'g1', p_reason: 'other', p_note: 'It looks like somebody I know.' },
    ]);
    expect(messages()).toEqual([message]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('stays open while the report is sent', async () => {
    fakeServer({ [REPORT]: never });
    await renderPage(<ReportImage generationId="g1" />);
    await press('Report');
    fireEvent.click(screen.getByRole('radio', { name: 'Something else' }));
    await press('Send report');
    await press('Cancel');
    await pressKey('Escape');
    screen.getByRole('dialog');
  });

  it('sends a visitor to sign in, with the way back', async () => {
    asVisitor();
    const router = await renderPage(<ReportImage generationId="g1" />, '/junoabara/generate/g1');
    await press('Report');
    expect(router.state.location).toMatchObject({
      pathname: '/sign-in',
      state: { returnTo: '/junoabara/generate/g1', previousState: null },
    });
  });
});
