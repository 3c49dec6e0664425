import type { ModelReference } from '../../../../../src/contract/calls/applications.js';
import type { ApplicationState } from '../../../../../src/contract/applications.js';

export const STATES: readonly { readonly state: ApplicationState; readonly label: string; readonly empty: string }[] = [
  { state: 'pending', label: 'Pending', empty: 'No application waits.' },
  { state: 'waiting_for_model', label: 'Waiting for a model', empty: 'No creator waits for a model.' },
  { state: 'approved', label: 'Approved', empty: 'No approved creators.' },
  { state: 'rejected', label: 'Not approved', empty: 'No application was rejected.' },
];

/** Reasons of a rejection, and the words that the applicant reads. */
export const REASONS: readonly { readonly title: string; readonly text: (handle: string) => string }[] = [
  {
    title: 'The Instagram account could not be confirmed',
    text: (handle) =>
      `We could not confirm that ${handle} belongs to you. Add a link to Fanvas in its profile for a day, then apply again.`,
  },
  {
    title: 'The works are by several people, or of others',
    text: () => 'The works that you sent are not all your own. Apply again with works that you made yourself.',
  },
  { title: 'The applicant is under 18', text: () => 'Creators must be at least 18 years old.' },
];

/** A typed model: 64 hex digits at the end make it a version, everything else is a deployment. */
export function modelIn(typed: string): ModelReference & { readonly name: string } {
  const name = typed.trim();
  return /(^|:)[0-9a-f]{64}$/.test(name) ? { name, p_lora_id: name } : { name, p_deployment_name: name };
}
