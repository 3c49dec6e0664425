import { type ArgumentMetadata, type Type, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { ApiError } from './api-error.js';

/**
 * Validates requests against their DTO. Fields that the DTO does not declare are dropped before class-transformer reads
 * the request: its work is quadratic in the number of keys.
 */
export class KnownFieldsPipe extends ValidationPipe {
  private readonly fields = new WeakMap<object, ReadonlySet<string>>();

  constructor() {
    super({
      ...{ transform: true, whitelist: true, validationError: { target: true } },
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
    return Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
  }

  private fieldsOf(dto: Type): ReadonlySet<string> {
    const stored = this.fields.get(dto);
    if (stored) return stored;
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    const names = new Set(rules.map(({ propertyName }) => propertyName));
    this.fields.set(dto, names);
    return names;
  }
}

/** A refusal in our words: the sentences that our rules give, and the names of the other fields. */
function refusalOf(errors: readonly ValidationError[]): ApiError {
  const own = new Set<string>();
  const fields = new Set<string>();
  const read = (all: readonly ValidationError[], parents: string): void => {
    for (const { target, property, constraints = {}, children = [] } of all) {
      const given = sentencesOf(target);
      const broken = Object.values(constraints);
      const sentences = broken.filter((sentence) => given.has(sentence));
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
function sentencesOf(target: object | undefined): ReadonlySet<unknown> {
  if (!target) return new Set();
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  return new Set(rules.map(({ message }) => message));
}
