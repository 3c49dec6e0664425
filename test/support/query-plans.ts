import { type Pool } from 'pg';
import { type Statement } from './statements.js';

/** A node of a plan, as `explain (format json)` writes it. The actual figures are those of `analyze`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs a statement with its values. @returns its plan, with the rows that it has read */
export async function planOf(pool: Pool, { text, values }: Pick<Statement, 'text' | 'values'>): Promise<PlanNode> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) ${text}`,
    [...values],
  );
  const [row] = rows;
  if (!row) throw new Error(`No plan for ${text}`);
  return row['QUERY PLAN'][0].Plan;
}

/** Rows that a node has read in all its loops, also those that it did not pass on; 0 when it did not run. */
export function rowsRead(node: PlanNode): number {
  const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return (rows + (node['Rows Removed by Index Recheck'] ?? 0)) * (node['Actual Loops'] ?? 0);
}
