import { IsInt, Max, Min } from 'class-validator';
import {
  type CreatorAnalytics,
  type CreatorEarning,
  type CreatorMonthlyHistory,
  type CreatorStatement,
} from '../revenue.js';
import { type Count } from '../scalars.js';
import { IsMonth, IsText, IsWhole, Optional } from './fields.js';

const MONTHS_BACK = { message: 'p_months_back must be a whole number from 1 to 120' };

export class RevenueOfCreator {
  @IsText(100)
  p_creator_id!: string;
}

export class CreatorHistoryRequest extends RevenueOfCreator {
  /** 1 to 120; 24 by default. */
  @Optional(IsInt(MONTHS_BACK), Min(1, MONTHS_BACK), Max(120, MONTHS_BACK))
  p_months_back?: Count;
}

export class CreatorEarningsRequest extends RevenueOfCreator {
  @Optional(IsMonth())
  p_month?: string | null;

  @Optional(IsWhole(1, 100))
  p_limit?: Count;

  @Optional(IsWhole(0, 10_000))
  p_offset?: Count;
}

export class CreatorStatementRequest extends RevenueOfCreator {
  @IsMonth()
  p_month!: string;
}

export interface RevenueCalls {
  /** For the creator, admins and finance. */
  get_creator_dashboard_analytics: { request: RevenueOfCreator; response: CreatorAnalytics };
  /** For the creator, admins and finance. */
  get_creator_monthly_history: { request: CreatorHistoryRequest; response: CreatorMonthlyHistory };
  /** For the creator, admins and finance. A page; of all months, or of one (YYYY-MM). */
  get_creator_earnings: { request: CreatorEarningsRequest; response: CreatorEarning[] };
  /** For the creator, admins and finance. */
  get_creator_statement: { request: CreatorStatementRequest; response: CreatorStatement };
}
