import { applyDecorators } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/*
 * Rules of fields of requests. The last rule of a list is registered first, as when decorators are written below each
 * other: this is the order of the messages.
 */

/** A whole number. */
export function IsWhole(least: number, most: number): PropertyDecorator {
  return applyDecorators(Max(most), Min(least), IsInt());
}

/** A text of at most this many characters. */
export function IsText(longest: number): PropertyDecorator {
  return applyDecorators(MaxLength(longest), IsString());
}

/** A field that may be left out. */
export function Optional(rule: PropertyDecorator): PropertyDecorator {
  return applyDecorators(rule, IsOptional());
}
