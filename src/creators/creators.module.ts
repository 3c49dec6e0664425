import { Module } from '@nestjs/common';
import { Applicants } from './applicants.js';
import { CreatorReview } from './creator-review.js';
import { ApplicationsController } from './http/applications.controller.js';
import { CreatorsAdminController } from './http/creators-admin.controller.js';
import { GetOwnRecordHandler } from './reads/get-own-record.js';
import { ListCreatorsForAdminsHandler } from './reads/list-creators-for-admins.js';
import { ApproveCreatorHandler } from './use-cases/approve-creator.js';
import { AssignCreatorModelHandler } from './use-cases/assign-creator-model.js';
import { CreateCreatorHandler } from './use-cases/create-creator.js';
import { LogTermsAcceptanceHandler } from './use-cases/log-terms-acceptance.js';
import { RejectCreatorHandler } from './use-cases/reject-creator.js';
import { SetCreatorFeaturedHandler } from './use-cases/set-creator-featured.js';
import { SetCreatorVisibilityHandler } from './use-cases/set-creator-visibility.js';
import { CreatorsController } from './http/creators.controller.js';
import { GetCreatorForUserHandler } from './reads/get-creator-for-user.js';
import { GetReadableCreatorHandler } from './reads/get-readable-creator.js';
import { GetCreatorHandler } from './reads/get-creator.js';
import { GetCreatorProfileHandler } from './reads/get-creator-profile.js';
import { GetAdminCreatorsHandler } from './reads/get-admin-creators.js';
import { ViewCreatorHandler } from './use-cases/view-creator.js';
import { GetCreatorsHandler } from './reads/get-creators.js';
import { GetOwnCreatorHandler } from './reads/get-own-creator.js';
import { ListWithdrawalsHandler } from './reads/list-withdrawals.js';
import { ListUsedPortraitsHandler } from './reads/list-used-portraits.js';
import { GetPublicCreatorsHandler } from './reads/get-public-creators.js';
import { HasAcceptedTermsHandler } from './reads/has-accepted-terms.js';
import { ListCreatorRowsHandler } from './reads/list-creator-rows.js';
import { AddApprovedCreatorHandler } from './use-cases/add-approved-creator.js';
import { DeleteExpiredPayoutRecordsHandler } from './use-cases/delete-expired-payout-records.js';
import { EraseCreatorHandler } from './use-cases/erase-creator.js';
import { WithdrawConsentHandler } from './use-cases/withdraw-consent.js';
import { CloseCreatorHandler } from './use-cases/close-creator.js';
import { SetCreatorPausedHandler } from './use-cases/set-creator-paused.js';
import { ContinueStyleChangeHandler } from './use-cases/continue-style-change.js';
import { AddBlockedTermHandler } from './use-cases/add-blocked-term.js';
import { RemoveBlockedTermHandler } from './use-cases/remove-blocked-term.js';
import { CountBlockedPromptHandler } from './use-cases/count-blocked-prompt.js';
import { SavePayoutDetailsHandler } from './use-cases/save-payout-details.js';
import { RecordModelDeletionHandler } from './use-cases/record-model-deletion.js';
import { ListOwnConsentHandler } from './reads/list-own-consent.js';
import { ListOwnBlockedTermsHandler } from './reads/list-own-blocked-terms.js';
import { ListStyleChangesHandler } from './reads/list-style-changes.js';
import { ListModelDeletionsHandler } from './reads/list-model-deletions.js';
import { GetOwnPayoutDetailsHandler } from './reads/get-own-payout-details.js';
import { GetPayoutDetailsDatesHandler, OpenPayoutDetailsHandler } from './reads/get-payout-details.js';
import { payoutCipherProvider } from './payout/payout-cipher.js';
import { OwnControlsController } from './http/own-controls.controller.js';
import { QuestionsController } from './http/questions.controller.js';
import { FindModelOwnerHandler } from './reads/find-model-owner.js';
import { GetApplicationHandler } from './reads/get-application.js';
import { GetTrialSubjectHandler } from './reads/get-trial-subject.js';
import { ListApplicationsHandler } from './reads/list-applications.js';
import { ListOwnQuestionsHandler } from './reads/list-own-questions.js';
import { AnswerQuestionHandler } from './use-cases/answer-question.js';
import { AskApplicantHandler } from './use-cases/ask-applicant.js';
import { ModelDeletionsController } from './http/model-deletions.controller.js';

/** Creators: who may be drawn, and with which model. */
@Module({
  controllers: [
    CreatorsController,
    ApplicationsController,
    CreatorsAdminController,
    QuestionsController,
    OwnControlsController,
    ModelDeletionsController,
  ],
  providers: [
    Applicants,
    CreatorReview,
    CreateCreatorHandler,
    LogTermsAcceptanceHandler,
    ApproveCreatorHandler,
    RejectCreatorHandler,
    AssignCreatorModelHandler,
    SetCreatorVisibilityHandler,
    SetCreatorFeaturedHandler,
    GetAdminCreatorsHandler,
    ViewCreatorHandler,
    AskApplicantHandler,
    AnswerQuestionHandler,
    ListApplicationsHandler,
    GetApplicationHandler,
    ListOwnQuestionsHandler,
    FindModelOwnerHandler,
    GetTrialSubjectHandler,
    GetOwnRecordHandler,
    ListCreatorsForAdminsHandler,
    AddApprovedCreatorHandler,
    GetCreatorForUserHandler,
    GetReadableCreatorHandler,
    CloseCreatorHandler,
    WithdrawConsentHandler,
    SetCreatorPausedHandler,
    ContinueStyleChangeHandler,
    AddBlockedTermHandler,
    RemoveBlockedTermHandler,
    CountBlockedPromptHandler,
    SavePayoutDetailsHandler,
    RecordModelDeletionHandler,
    ListOwnConsentHandler,
    ListOwnBlockedTermsHandler,
    ListStyleChangesHandler,
    ListModelDeletionsHandler,
    GetOwnPayoutDetailsHandler,
    GetPayoutDetailsDatesHandler,
    OpenPayoutDetailsHandler,
    payoutCipherProvider,
    EraseCreatorHandler,
    DeleteExpiredPayoutRecordsHandler,
    GetOwnCreatorHandler,
    ListUsedPortraitsHandler,
    ListWithdrawalsHandler,
    GetCreatorHandler,
    GetCreatorProfileHandler,
    GetCreatorsHandler,
    GetPublicCreatorsHandler,
    HasAcceptedTermsHandler,
    ListCreatorRowsHandler,
  ],
})
export class CreatorsModule {}
