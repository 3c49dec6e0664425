import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openFinancePage, onFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults } from '../../../../test/page.js';
import EventPage from './event-page.js';

onFinancePage();

describe('EventPage', () => {
  const PATTERN = '/finance/events/:userId/:version';

  it('links to the event in the audit area for auditors', async () => {
    await openFinancePage(<EventPage />, '/finance/events/user_9/11', { audits: true, pattern: PATTERN });
    expect(screen.getByRole('link', { name: 'This event in the audit area' }).getAttribute('href')).toBe(
      '/audit/accounts/user_9?v=11',
    );
    expect(screen.getByText('user_9:11')).toBeTruthy();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says that an event moves no value', async () => {
    await openFinancePage(<EventPage />, '/finance/events/user_9/3', {
      answers: { get_event_entries: [] },
      pattern: PATTERN,
    });
    expect(screen.getByText('This event moves no value, or there is no such event.')).toBeTruthy();
  });
});
