import { SealError } from '../../audit/index.js';
import { DomainError } from '../../platform/domain-error.js';
import { RecordsError } from '../../platform/storage/records.js';
import { type ProgramOptions } from '../program.js';
import { addCopy } from './copy.js';

/** `npm run media`. */
export const MEDIA_PROGRAM: ProgramOptions = {
  name: 'npm run media --',
  verbs: [addCopy],
  remarks: 'A running app that has MEDIA_URL reads from the folder what the bucket does not have yet.',
  expectedErrors: [DomainError, RecordsError, SealError],
};
