import { FindModelOwnerHandler } from './find-model-owner.js';
import { GetAdminCreatorsHandler } from './get-admin-creators.js';
import { GetApplicationHandler } from './get-application.js';
import { GetCreatorHandler } from './get-creator.js';
import { GetCreatorForUserHandler } from './get-creator-for-user.js';
import { GetCreatorProfileHandler } from './get-creator-profile.js';
import { GetCreatorsHandler } from './get-creators.js';
import { GetOwnCreatorHandler } from './get-own-creator.js';
import { GetOwnPayoutDetailsHandler } from './get-own-payout-details.js';
import { GetOwnRecordHandler } from './get-own-record.js';
import { GetPayoutDetailsDatesHandler, OpenPayoutDetailsHandler } from './get-payout-details.js';
import { GetPublicCreatorsHandler } from './get-public-creators.js';
import { GetReadableCreatorHandler } from './get-readable-creator.js';
import { GetTrialSubjectHandler } from './get-trial-subject.js';
import { HasAcceptedTermsHandler } from './has-accepted-terms.js';
import { ListApplicationsHandler } from './list-applications.js';
import { ListCreatorRowsHandler } from './list-creator-rows.js';
import { ListCreatorsForAdminsHandler } from './list-creators-for-admins.js';
import { ListModelDeletionsHandler } from './list-model-deletions.js';
import { ListOwnBlockedTermsHandler } from './list-own-blocked-terms.js';
import { ListOwnConsentHandler } from './list-own-consent.js';
import { ListOwnQuestionsHandler } from './list-own-questions.js';
import { ListStyleChangesHandler } from './list-style-changes.js';
import { ListUsedPortraitsHandler } from './list-used-portraits.js';
import { ListWithdrawalsHandler } from './list-withdrawals.js';

export const READS = [
  GetAdminCreatorsHandler,
  ListApplicationsHandler,
  GetApplicationHandler,
  ListOwnQuestionsHandler,
  FindModelOwnerHandler,
  GetTrialSubjectHandler,
  GetOwnRecordHandler,
  ListCreatorsForAdminsHandler,
  GetCreatorForUserHandler,
  GetReadableCreatorHandler,
  ListOwnConsentHandler,
  ListOwnBlockedTermsHandler,
  ListStyleChangesHandler,
  ListModelDeletionsHandler,
  GetOwnPayoutDetailsHandler,
  GetPayoutDetailsDatesHandler,
  OpenPayoutDetailsHandler,
  GetOwnCreatorHandler,
  ListUsedPortraitsHandler,
  ListWithdrawalsHandler,
  GetCreatorHandler,
  GetCreatorProfileHandler,
  GetCreatorsHandler,
  GetPublicCreatorsHandler,
  HasAcceptedTermsHandler,
  ListCreatorRowsHandler,
];
