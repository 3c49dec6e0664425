import { type Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { REQUIRED_BY_HANDLER } from '../../contract/calls/fields.js';
import { type ContractSchemas, resolved, type Schema } from './contract-schemas.js';

/** True for a class whose fields are validated. */
export function isRequestClass(type: unknown): type is Type<object> {
  return typeof type === 'function' && rulesOf(type as Type<object>).length > 0;
}

/** The schema of a request with the limits that its validation adds. */
export function requestSchema(
  request: Schema,
  requestClass: Type<object> | undefined,
  contract: ContractSchemas,
): Schema {
  const schema = resolved(request, contract);
  if (!requestClass || !schema.properties) return schema;
  const properties: Record<string, Schema> = { ...schema.properties };
  const required = [...(schema.required ?? [])];
  for (const { propertyName, name = '', constraints, context, each } of rulesOf(requestClass)) {
    const field = properties[propertyName];
    const limit = LIMITS[name]?.((constraints ?? []) as unknown[]);
    if (field && limit) {
      properties[propertyName] = { ...field, ...(each ? { items: { ...field.items, ...limit } } : limit) };
    }
    if (context === REQUIRED_BY_HANDLER) required.push(propertyName);
  }
  return { ...schema, properties, ...(required.length > 0 && { required: required.sort() }) };
}

function rulesOf(requestClass: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
}

/** Keywords of JSON Schema by the rules of class-validator. The contract has the types and choices. */
const LIMITS: Readonly<Record<string, (constraints: readonly unknown[]) => Schema>> = {
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  minLength: ([minLength]) => ({ minLength }),
  maxLength: ([maxLength]) => ({ maxLength }),
  isLength: ([minLength, maxLength]) => ({ minLength, maxLength }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  isNotEmpty: () => ({ minLength: 1 }),
  isUuid: () => ({ format: 'uuid' }),
  isInt: () => ({ multipleOf: 1 }),
  matches: ([pattern]) => ({ pattern: (pattern as RegExp).source }),
};
