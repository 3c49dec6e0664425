import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { type FastifyInstance } from 'fastify';
import { type TableName } from '../../src/contract/routes.js';
import { answersOf, type Answer } from '../../src/platform/api-docs/answers.js';
import { readContractSchemas } from '../../src/platform/api-docs/api-description.js';
import { type ContractSchemas, type Schema } from '../../src/platform/api-docs/contract-schemas.js';
import { type ContractEntry } from '../../src/platform/http/routes.js';

const problems: string[] = [];

/** Returns the answers outside the contract since the last call. */
export function takeAnswerProblems(): string[] {
  return problems.splice(0);
}

/** For all apps of this process: compiling a schema takes as long as many answers. */
let validation: ReturnType<typeof readContract> | undefined;

async function readContract(): Promise<{ contract: ContractSchemas; validators: Validators }> {
  const contract = await readContractSchemas();
  if (!contract) throw new Error('Run `npm run build` first: it writes the schemas of the contract.');
  return { contract, validators: new Validators(contract) };
}

/**
 * Validates every answer of this server against the contract. A test fails when the server answered with a missing
 * field, a field that the contract does not list, or another type during it (`check-answers.ts`). Call it before the
 * server listens.
 */
export async function validateAnswers(server: FastifyInstance): Promise<void> {
  const { contract, validators } = await (validation ??= readContract());

  // Before the answer is compressed, as hooks of the server come before those of its routes
  server.addHook('onSend', async (request, reply, payload) => {
    const { url, method } = request.routeOptions;
    if (request.method === 'HEAD' || url === undefined) return payload;
    const entry = entryOf(String(method), url, contract);
    if (entry === undefined && !url.startsWith('/rest/') && !url.startsWith('/functions/')) return payload;
    // Redirects and 304 have no body.
    if (reply.statusCode >= 300 && reply.statusCode < 400) return payload;
    const answers = answersOf(entry, contract);
    const answer = reply.statusCode < 300 ? answers['200'] : answers['default'];
    const type = String(reply.getHeader('content-type')).split(';')[0] ?? '';
    const problem = validators.problemOf(answer, type, payload);
    if (problem !== null) problems.push(`${request.method} ${url} answered ${reply.statusCode}: ${problem}`);
    return payload;
  });

  // Streams of events bypass that hook
  server.addHook('onRequest', async (request, reply) => {
    const entry = entryOf('GET', request.routeOptions.url ?? '', contract);
    if (entry?.kind !== 'other' || entry.name !== 'GET /events/generations/{id}') return;
    const write = reply.raw.write.bind(reply.raw) as (chunk: unknown, ...rest: unknown[]) => boolean;
    reply.raw.write = (chunk: unknown, ...rest: unknown[]): boolean => {
      for (const [, data = ''] of String(chunk).matchAll(/^data: (.*)$/gm)) {
        const problem = validators.problemOf(answersOf(entry, contract)['200'], 'text/event-stream', data);
        if (problem !== null) problems.push(`${entry.name} sent: ${problem}`);
      }
      return write(chunk, ...rest);
    };
  });
}

/** Where the contract describes a route of Fastify. */
function entryOf(method: string, url: string, contract: ContractSchemas): ContractEntry | undefined {
  const [rpc, fn, table] = ['rest/v1/rpc', 'functions/v1', 'rest/v1'].map(
    (folder) => new RegExp(`^/${folder}/([\\w-]+)$`).exec(url)?.[1],
  );
  const other = `${method} ${url.replace(/:(\w+)/g, '{$1}')}`;
  if (isKey(contract.rpc, rpc)) return { kind: 'rpc', name: rpc };
  if (isKey(contract.functions, fn)) return { kind: 'function', name: fn };
  if (isKey(contract.routes, other)) return { kind: 'other', name: other };
  if (isKey(contract.tables, table)) return { kind: 'table', table: tableNamed(table) };
  return undefined;
}

function tableNamed(name: TableName): { name: TableName; columns: string[]; filters: string[]; order: string } {
  return { name, columns: [], filters: [], order: '' };
}

function isKey<Map extends object>(map: Map, key: string | undefined): key is keyof Map & string {
  return key !== undefined && Object.hasOwn(map, key);
}

/** Name of the schemas that others refer to. */
const CONTRACT = 'contract';

/** Compiles each schema once, when it is first needed. */
class Validators {
  private readonly ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(contract: ContractSchemas) {
    ajvFormats.default(this.ajv);
    this.ajv.addVocabulary(['components']);
    this.ajv.addSchema({ $id: CONTRACT, components: { schemas: closed(contract.schemas) } });
  }

  /** Null for a valid answer. */
  problemOf(answer: Answer | undefined, type: string, payload: unknown): string | null {
    const media = answer?.content[type];
    if (!media) return `the contract has no ${type} here.`;
    // Lines of JSON are no document of JSON.
    if (type.endsWith('ndjson')) return null;
    if (!type.endsWith('json') && type !== 'text/event-stream') return null;
    if (typeof payload !== 'string') return 'it is not text.';
    const validate = this.validatorOf(media.schema);
    if (validate(JSON.parse(payload))) return null;
    const errors = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    return `${errors.join('; ')} in ${payload.slice(0, 300)}`;
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.compiled.get(key);
    if (known) return known;
    const validate = this.ajv.compile(closed(schema) as Schema);
    this.compiled.set(key, validate);
    return validate;
  }
}

/**
 * Forbids fields that the contract does not list: callers must accept such fields, tests must not. References lead to
 * the schemas of the contract.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const changed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === '$ref' ? `${CONTRACT}${value}` : closed(value)]),
  );
  return 'properties' in changed && !('additionalProperties' in changed)
    ? { ...changed, additionalProperties: false }
    : changed;
}
