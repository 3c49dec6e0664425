import { type ArgumentMetadata, type Type, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, IS_OPTIONAL, type ValidationError } from 'class-validator';
import { ApiError } from './api-error.js';

/**
 * Validates requests against their class. Fields that it does not declare are dropped before class-transformer reads
 * the request: its work is quadratic in the number of keys. An optional field that is null is dropped, too: without it,
 * the handler uses its default.
 */
export class KnownFieldsPipe extends ValidationPipe {
  /** The fields of each class, and whether they are optional. */
  private readonly fields = new WeakMap<object, ReadonlyMap<string, boolean>>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      validationError: { target: true },
      exceptionFactory: refusalOf,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return (await super.transform(this.pick(value, metadata), metadata)) as unknown;
  }

  private pick(value: unknown, { metatype }: ArgumentMetadata): unknown {
    if (!metatype || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const known = this.fieldsOf(metatype);
    if (known.size === 0) return value;
    return Object.fromEntries(
      Object.entries(value).filter(([name, sent]) => known.has(name) && (sent !== null || !known.get(name))),
    );
  }

  private fieldsOf(dto: Type): ReadonlyMap<string, boolean> {
    const stored = this.fields.get(dto);
    if (stored) return stored;
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    const optional = new Set(rules.filter(({ name }) => name === IS_OPTIONAL).map(({ propertyName }) => propertyName));
    const fields = new Map(rules.map(({ propertyName }) => [propertyName, optional.has(propertyName)]));
    this.fields.set(dto, fields);
    return fields;
  }
}

/** A refusal in our words: the sentences that our rules give, and the names of the other fields. */
function refusalOf(errors: readonly ValidationError[]): ApiError {
  const own = new Set<string>();
  const fields = new Set<string>();
  const read = (all: readonly ValidationError[], parents: string): void => {
    for (const { target, property, constraints = {}, children = [] } of all) {
      const ruleSentences = sentencesOf(target);
      const broken = Object.values(constraints);
      const sentences = broken.filter((sentence) => ruleSentences.has(sentence));
      for (const sentence of sentences) own.add(sentence);
      if (sentences.length === 0 && broken.length > 0) fields.add(parents + property);
      read(children, `${parents}${property}.`);
    }
  };
  read(errors, '');
  const others = fields.size === 0 ? [] : [`Missing or not valid: ${[...fields].join(', ')}`];
  return new ApiError(400, 'The request is not valid.', { details: [...own, ...others].join('; ') });
}

/** The sentences that the rules of an object give. The others are of class-validator. */
function sentencesOf(target: object | undefined): ReadonlySet<string> {
  if (!target) return new Set();
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  return new Set(rules.map(({ message, propertyName }) => String(message).replaceAll('$property', propertyName)));
}
