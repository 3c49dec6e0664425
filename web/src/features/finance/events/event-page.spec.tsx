import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { endFinancePage, openFinancePage, startFinancePage } from '../../../../test/finance-page.js';
import { accessibilityFaults } from '../../../../test/page.js';
import EventPage from './event-page.js';

jest.setTimeout(120_000);

beforeEach(startFinancePage);
afterEach(endFinancePage);

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
