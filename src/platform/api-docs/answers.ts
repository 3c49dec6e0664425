import { type ContractEntry } from '../http/routes.js';
import { type ContractSchemas, resolved, type Schema } from './contract-schemas.js';

/** Responses of an operation by status, in the format of OpenAPI. */
export type Answers = Readonly<Record<string, Answer>>;

export interface Answer {
  readonly description: string;
  /** By media type. */
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

const BINARY = /^image\/|\/zip$/;

const ERROR: Answer = {
  description: 'The request was refused or failed.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
};

/** The answers of a handler, by the contract. A handler without an entry returns only errors. */
export function answersOf(entry: ContractEntry | undefined, contract: ContractSchemas): Answers {
  if (!entry) return { default: ERROR };
  return { '200': { description: 'Success.', content: contentOf(entry, contract) }, default: ERROR };
}

function contentOf(entry: ContractEntry, contract: ContractSchemas): Answer['content'] {
  switch (entry.kind) {
    case 'rpc':
      return { 'application/json': { schema: contract.rpc[entry.name].response } };
    case 'function':
      return { 'application/json': { schema: contract.functions[entry.name].response } };
    case 'table': {
      const row = selectedColumns(contract.tables[entry.table.name], contract);
      return {
        'application/json': { schema: { type: 'array', items: row } },
        'application/vnd.pgrst.object+json': { schema: row },
      };
    }
    case 'other': {
      const { content, response } = contract.routes[entry.name];
      const types = (content.enum ?? [content.const]) as readonly string[];
      // Binary content has no schema in OpenAPI 3.1
      return Object.fromEntries(types.map((type) => [type, { schema: BINARY.test(type) ? {} : response }]));
    }
  }
}

/** A row of a table: `select` decides which columns it has. */
function selectedColumns(row: Schema, contract: ContractSchemas): Schema {
  const { required: _all, ...columns } = resolved(row, contract);
  return columns;
}
