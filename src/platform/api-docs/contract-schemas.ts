import { type FunctionName, type RpcName } from '../../contract/calls.js';
import { type OtherRoute, type TableName } from '../../contract/routes.js';

/** A JSON Schema (2020-12). References are those of an OpenAPI document: `#/components/schemas/<name>`. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly [keyword: string]: unknown;
}

export interface CallSchema {
  readonly description?: string;
  readonly request: Schema;
  readonly response: Schema;
}

export interface OtherRouteSchema {
  readonly description?: string;
  /** A constant, or several: the media types. */
  readonly content: Schema;
  readonly response: Schema;
}

/** Content of dist/contract-schemas.json, which the build writes: the types of `src/contract` as schemas. */
export interface ContractSchemas {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly rpc: Readonly<Record<RpcName, CallSchema>>;
  readonly functions: Readonly<Record<FunctionName, CallSchema>>;
  readonly tables: Readonly<Record<TableName, Schema>>;
  readonly routes: Readonly<Record<OtherRoute, OtherRouteSchema>>;
}

/** Resolves a reference. Returns any other schema unchanged. */
export function resolved(schema: Schema, { schemas }: Pick<ContractSchemas, 'schemas'>): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  const target = schemas[name];
  if (!target) throw new Error(`The contract has no schema ${name}.`);
  return target;
}
