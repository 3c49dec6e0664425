import { type ArgumentMetadata, type Type, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/**
 * Validates requests against their DTO. Fields that the DTO does not declare are dropped before class-transformer reads
 * the request: its work is quadratic in the number of keys.
 */
export class KnownFieldsPipe extends ValidationPipe {
  private readonly fields = new WeakMap<object, ReadonlySet<string>>();

  constructor() {
    super({ transform: true, whitelist: true });
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
