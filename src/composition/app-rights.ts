import { type AppRights } from '../platform/database/rights.js';
import { projections } from './projections.js';

/** Rights of the app's database user on tables with a special purpose. It may write all others. */
export const appRights: AppRights = {
  owned: projections.flatMap(({ tables }) => tables),
  limited: {
    schema_migration: ['select'],
    // The database assigns the position: the order of events is not the app's to choose.
    event: ['select', 'insert (stream, version, event_id, type, data, metadata, recorded_at)'],
    // Records of consent and review stay as they are. An erasure removes what names a person.
    creator_consent: ['select', 'insert', 'update (user_agent, email)'],
    creator_application: ['select', 'insert', 'update (name, email, instagram)'],
    creator_decision: [
      'select',
      'insert',
      'update (reason, identity_verified, age_verified, instagram_verified, salt)',
    ],
    // A question stays as it was asked, and its answer as it was given.
    creator_question: ['select', 'insert', 'update (question, answer, answered_at)'],
    // Acts stay as they are. An erasure removes what names a person.
    admin_act: ['select', 'insert (id, number, body, hash)'],
    admin_act_head: ['select', 'update (number, hash)'],
    admin_act_personal: [
      'select',
      'insert',
      'update (reason, reason_salt, address, address_salt, subject_name, subject_name_salt)',
    ],
    ledger_seal: ['select', 'insert', 'update (published_at)'],
    // Leaves below a checkpoint stay as they were logged.
    log_leaf: ['select', 'insert'],
    log_node: ['select', 'insert'],
    log_checkpoint: ['select', 'insert (size, root, note, signed_at)'],
  },
};
