import { Body, Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DifferencesRequest, ReconciliationPeriod } from '../../contract/calls/reconciliation.js';
import { type RpcResponse } from '../../contract/calls.js';
import { PAGE_SIZES } from '../../contract/limits.js';
import { RATE_LIMITS } from '../../contract/rate-limits.js';
import { type Differences, type Reconciliation, type ReconciliationStarted } from '../../contract/reconciliation.js';
import { instantOrNow } from '../../platform/http/instants.js';
import { FINANCE, Rpc } from '../../platform/http/routes.js';
import { CountOpenDifferences, ListDifferences } from '../reads/differences.js';
import { type AskedPeriod, GetReconciliation } from '../reads/reconciliation.js';
import { RunReconciliation } from '../use-cases/run-reconciliation.js';

const READ = { ...FINANCE, limit: RATE_LIMITS.financeData } as const;

/** The reconciliation with the processor, for finance and admins. A run copies facts; nothing here moves money. */
@Controller()
export class ReconciliationController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Rpc('get_reconciliation', READ)
  async reconciliation(@Body() request: ReconciliationPeriod): Promise<Reconciliation> {
    return this.queries.execute(new GetReconciliation(periodOf(request)));
  }

  @Rpc('list_differences', READ)
  async differences(@Body() request: DifferencesRequest): Promise<Differences> {
    const limit = request.p_limit ?? PAGE_SIZES.differences;
    return this.queries.execute(new ListDifferences({ ...periodOf(request), limit, after: request.p_after ?? null }));
  }

  @Rpc('get_open_difference_count', READ)
  async count(): Promise<RpcResponse<'get_open_difference_count'>> {
    return { open: await this.queries.execute(new CountOpenDifferences()) };
  }

  @Rpc('run_reconciliation', { ...FINANCE, limit: RATE_LIMITS.financialOps })
  async run(): Promise<ReconciliationStarted> {
    return this.commands.execute(new RunReconciliation());
  }
}

function periodOf({ p_from: from, p_to: to }: ReconciliationPeriod): AskedPeriod {
  return { from: instantOrNow(from, 'p_from'), to: instantOrNow(to, 'p_to') };
}
