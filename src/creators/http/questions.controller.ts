import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AnswerQuestionRequest, ApplicationsRequest, AskApplicantRequest } from '../../contract/calls/applications.js';
import { type ApplicantQuestion, type ApplicationRow } from '../../contract/applications.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { Acting, type Actor } from '../../platform/acts/actor.js';
import { ADMIN_ACT, ADMIN_READ, CurrentUser, Rpc, signedIn } from '../../platform/http/routes.js';
import { type Principal } from '../../platform/principal.js';
import { ListApplications } from '../reads/list-applications.js';
import { ListOwnQuestions } from '../reads/list-own-questions.js';
import { AnswerQuestion } from '../use-cases/answer-question.js';
import { AskApplicant } from '../use-cases/ask-applicant.js';

/** The list of applications, and the questions between admins and applicants. */
@Controller()
export class QuestionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Rpc('list_applications_admin', ADMIN_READ)
  async list(@Body() request: ApplicationsRequest): Promise<ApplicationRow[]> {
    const {
      p_state: state,
      p_search: search,
      p_limit: limit = PAGE_SIZES.applications,
      p_offset: offset = 0,
    } = request;
    return this.queries.execute(new ListApplications({ state, search, limit, offset }));
  }

  @Rpc('ask_applicant_admin', ADMIN_ACT)
  async ask(@Acting() actor: Actor, @Body() request: AskApplicantRequest): Promise<ApplicantQuestion> {
    const { p_creator_id: creatorId, p_question: question } = request;
    return this.commands.execute(new AskApplicant({ creatorId, actor, question }));
  }

  @Rpc('get_own_questions_by_jwt', signedIn('read the creator profile', RATE_LIMITS.creatorData))
  async own(@CurrentUser() { userId }: Principal): Promise<ApplicantQuestion[]> {
    return this.queries.execute(new ListOwnQuestions({ userId }));
  }

  @Rpc('answer_own_question_by_jwt', signedIn('read the creator profile', RATE_LIMITS.standardApi))
  async answer(
    @CurrentUser() { userId }: Principal,
    @Body() request: AnswerQuestionRequest,
  ): Promise<ApplicantQuestion> {
    const { p_question_id: questionId, p_answer: answer } = request;
    return this.commands.execute(new AnswerQuestion({ userId, questionId, answer }));
  }
}
