import type { Application, ApplicationRow } from '../../src/contract/applications.js';
import { ACCEPTED, OWN_CREATOR } from './rows.js';

/** A waiting application in the list. */
export const NADIA: ApplicationRow = {
  creator_id: 'c-nadia',
  name: 'Nadia Voss',
  username: 'nadia.voss',
  instagram: '@nadia.voss',
  email: 'nadia@vossprints.example',
  state: 'pending',
  applied_at: '2026-11-19T16:20:44.000Z',
  decided_at: null,
  question: null,
  total_count: 2,
};

/** All that is known of it. */
export const application = (row: ApplicationRow, fields: Partial<Application> = {}): Application => ({
  creator: { ...OWN_CREATOR, profile: null, id: row.creator_id, name: row.name, instagram: row.instagram },
  own: false,
  applications: [{ name: row.name, email: row.email, instagram: row.instagram, applied_at: String(row.applied_at) }],
  consent: [{ ...ACCEPTED, at: '2026-11-19T16:20:39.000Z', email: row.email }],
  decisions: [],
  questions: [],
  account_created_at: '2026-10-01T00:00:00.000Z',
  images_drawn: 12,
  similar: [],
  trials: [],
  ...fields,
});
