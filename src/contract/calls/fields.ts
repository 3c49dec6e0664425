import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/*
 * Rules of fields of requests. The last rule of a list is registered first, as when decorators are written below each
 * other: this is the order of the messages.
 */

function allOf(...rules: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, field) => {
    for (const rule of [...rules].reverse()) rule(target, field);
  };
}

/** A whole number. */
export function IsWhole(least: number, most: number): PropertyDecorator {
  return allOf(IsInt(), Min(least), Max(most));
}

/** A text of at most this many characters. */
export function IsText(longest: number): PropertyDecorator {
  return allOf(IsString(), MaxLength(longest));
}

/** A field that may be left out. */
export function Optional(...rules: readonly PropertyDecorator[]): PropertyDecorator {
  return allOf(IsOptional(), ...rules);
}
