import { Transform } from 'class-transformer';
import {
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  NotContains,
} from 'class-validator';
import { CREATOR_ID, MONTH } from '../formats.js';
import { REASON_MAX_LENGTH } from '../limits.js';

/*
 * Rules of fields of requests. The last rule of a list is registered first, as when decorators are written below each
 * other: this is the order of the messages.
 */

/** The longest accepted id; real ones are much shorter. */
export const ID_LENGTH = 200;

/** The longest text of an instant or a day; longer ones are none. */
export const INSTANT_LENGTH = 40;

/** Longest text that the domain cuts, or refuses with a sentence of its own. */
export const LONG_TEXT_LENGTH = 5_000;

/** The largest version, number or row of the database. */
export const MAX_INTEGER = 2_147_483_647;

/** Marks fields that the handler requires (`context` of class-validator). */
export const REQUIRED_BY_HANDLER = 'required by the handler';

function allOf(...rules: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, field) => {
    for (const rule of [...rules].reverse()) rule(target, field);
  };
}

/** A field that may be left out. */
export function Optional(...rules: readonly PropertyDecorator[]): PropertyDecorator {
  return allOf(IsOptional(), ...rules);
}

/** A field without which the handler refuses the request, with the text that a specification prescribes. */
export function RequiredLater(...rules: readonly PropertyDecorator[]): PropertyDecorator {
  return allOf(IsOptional({ context: REQUIRED_BY_HANDLER }), ...rules);
}

/** A whole number. */
export function IsWhole(least: number, most: number): PropertyDecorator {
  return allOf(IsInt(), Min(least), Max(most));
}

/** A text of at most this many characters. */
export function IsText(longest: number): PropertyDecorator {
  return allOf(IsString(), MaxLength(longest));
}

/** A text that is stored: the database refuses zero characters. */
export function IsStoredText(longest: number): PropertyDecorator {
  return allOf(IsText(longest), NotContains('\u0000'));
}

/** A reason that is stored permanently. */
export function IsReason(): PropertyDecorator {
  return allOf(
    IsStoredText(REASON_MAX_LENGTH),
    Matches(/\S/, { message: '$property must say why, without naming a person' }),
  );
}

/** An id that names of streams can contain, and that cannot disguise another id. */
export function IsPrintableId(): PropertyDecorator {
  const message = '$property must be printable characters without spaces';
  return allOf(IsString(), Length(1, ID_LENGTH), Matches(/^[\x21-\x7e]+$/, { message }));
}

/**
 * A UUID; `each`: a list of them. It is read with lower-case letters, as the database writes it: acts and events keep
 * ids as texts, and rows are found by them.
 */
export function IsId(options?: { readonly each: true }): PropertyDecorator {
  const lower = (id: unknown): unknown => (typeof id === 'string' ? id.toLowerCase() : id);
  return allOf(
    Transform(({ value }: { readonly value: unknown }) => (Array.isArray(value) ? value.map(lower) : lower(value))),
    IsUUID(undefined, options),
  );
}

/** The id of a creator in the ledger. */
export function IsCreatorId(): PropertyDecorator {
  return Matches(CREATOR_ID, { message: '$property must be the id of a creator' });
}

/** A month, YYYY-MM. */
export function IsMonth(): PropertyDecorator {
  return Matches(MONTH, { message: '$property must be a month such as 2026-10' });
}
