/**
 * Writes JSON Schemas of what goes over the wire, made from the types in src/contract, to the file named as the first
 * argument. The build runs it (`build.mjs`), since the types are gone at run time. Schemas are of JSON Schema 2020-12,
 * as in OpenAPI 3.1.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import TJS from 'typescript-json-schema';

/** @typedef {Record<string, any>} Schema */

const folder = fileURLToPath(new URL('../../src/contract/', import.meta.url));
/** The interfaces whose fields are calls, tables and routes. */
const MAPS = ['RpcCalls', 'FunctionCalls', 'Tables', 'OtherRoutes'];

/** @param {string} output */
function writeSchemas(output) {
  const program = TJS.getProgramFromFiles(
    [join(folder, 'calls.ts'), join(folder, 'routes.ts'), join(folder, 'errors.ts')],
    {
      strict: true,
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      lib: ['ES2022'],
      types: [],
      experimentalDecorators: true,
      noEmit: true,
    },
  );
  const generator = TJS.buildGenerator(program, { aliasRef: true, required: true, strictNullChecks: true });
  // The generator has already printed the compiler's messages.
  if (!generator) throw new Error('The types in src/contract do not compile.');
  const { definitions = {} } = generator.getSchemaForSymbols([...MAPS, 'ErrorBody']);
  /** @type {Record<string, Schema>} */
  const schemas = {};
  for (const [qualified, definition] of Object.entries(definitions)) {
    const name = componentName(qualified);
    const schema = modern(definition);
    const other = schemas[name];
    if (other && !isDeepStrictEqual(other, schema)) throw new Error(`Two types in src/contract are called ${name}.`);
    schemas[name] = schema;
  }
  const [rpc, functions, tables, routes] = MAPS.map((name) => {
    const { properties } = schemas[name] ?? {};
    delete schemas[name];
    return properties;
  });
  const content = { rpc: calls(rpc), functions: calls(functions), tables, routes: calls(routes) };
  /** @type {Record<string, Schema>} */
  const requests = {};
  for (const call of [content.rpc, content.functions].flatMap(Object.values)) {
    const name = call.request.$ref.split('/').at(-1);
    call.request = requests[name] ??= { title: name, ...schemas[name] };
    // Only calls refer to it
    delete schemas[name];
  }
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, JSON.stringify({ schemas, ...content }));
}

/**
 * The fields of each call: `{request, response}`, `{content, response}`.
 * @param {Record<string, Schema>} map
 */
function calls(map) {
  return Object.fromEntries(
    Object.entries(map).map(([name, { description, properties }]) => [name, { description, ...properties }]),
  );
}

/**
 * Converts a schema from draft 7 to 2020-12, with references to the components of an OpenAPI document.
 * @param {any} schema
 * @returns {any}
 */
function modern(schema) {
  if (Array.isArray(schema)) return schema.map(modern);
  if (typeof schema !== 'object' || schema === null) return schema;
  /** @type {Schema} */
  const changed = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref')
      changed[key] = `#/components/schemas/${componentName(decodeURIComponent(value.slice('#/definitions/'.length)))}`;
    else if (key === 'items' && Array.isArray(value)) changed['prefixItems'] = modern(value);
    else changed[key] = modern(value);
  }
  return changed;
}

/**
 * The name of a type without its module. The generator numbers types that occur in several places.
 * @param {string} qualified
 */
function componentName(qualified) {
  if (qualified.startsWith('Record<string,never>')) return 'NoParameters';
  return qualified.replace(/^import\(.*\)\./, '').replace(/_\d+$/, '');
}

const output = process.argv[2];
if (output === undefined) throw new Error('Name the file to write.');
writeSchemas(output);
