import { AddApprovedCreatorHandler } from './add-approved-creator.js';
import { AddBlockedTermHandler } from './add-blocked-term.js';
import { AnswerQuestionHandler } from './answer-question.js';
import { ApproveCreatorHandler } from './approve-creator.js';
import { AskApplicantHandler } from './ask-applicant.js';
import { AssignCreatorModelHandler } from './assign-creator-model.js';
import { CloseCreatorHandler } from './close-creator.js';
import { ContinueStyleChangeHandler } from './continue-style-change.js';
import { CountBlockedPromptHandler } from './count-blocked-prompt.js';
import { CreateCreatorHandler } from './create-creator.js';
import { DeleteExpiredPayoutRecordsHandler } from './delete-expired-payout-records.js';
import { EraseCreatorHandler } from './erase-creator.js';
import { LogTermsAcceptanceHandler } from './log-terms-acceptance.js';
import { RecordModelDeletionHandler } from './record-model-deletion.js';
import { RejectCreatorHandler } from './reject-creator.js';
import { RemoveBlockedTermHandler } from './remove-blocked-term.js';
import { SavePayoutDetailsHandler } from './save-payout-details.js';
import { SetCreatorFeaturedHandler } from './set-creator-featured.js';
import { SetCreatorPausedHandler } from './set-creator-paused.js';
import { SetCreatorVisibilityHandler } from './set-creator-visibility.js';
import { ViewCreatorHandler } from './view-creator.js';
import { WithdrawConsentHandler } from './withdraw-consent.js';

export const USE_CASES = [
  CreateCreatorHandler,
  LogTermsAcceptanceHandler,
  ApproveCreatorHandler,
  RejectCreatorHandler,
  AssignCreatorModelHandler,
  SetCreatorVisibilityHandler,
  SetCreatorFeaturedHandler,
  ViewCreatorHandler,
  AskApplicantHandler,
  AnswerQuestionHandler,
  AddApprovedCreatorHandler,
  CloseCreatorHandler,
  WithdrawConsentHandler,
  SetCreatorPausedHandler,
  ContinueStyleChangeHandler,
  AddBlockedTermHandler,
  RemoveBlockedTermHandler,
  CountBlockedPromptHandler,
  SavePayoutDetailsHandler,
  RecordModelDeletionHandler,
  EraseCreatorHandler,
  DeleteExpiredPayoutRecordsHandler,
];
