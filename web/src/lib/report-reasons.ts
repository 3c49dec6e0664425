import type { ReportReason } from '../../../src/contract/generation.js';

/** The reasons of a report in words, in the order of the form. */
export const REPORT_REASONS: readonly (readonly [ReportReason, string])[] = [
  ['sexual', 'Sexual content'],
  ['minors', 'A minor shown in a sexual or suggestive way'],
  ['real_person', 'A real person, degraded or without their consent'],
  ['hate', 'Hate or harassment'],
  ['self_harm', 'Self-harm'],
  ['rights', 'Someone’s work or name used without permission'],
  ['other', 'Something else'],
];
