import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { type Page } from '../../contract/scalars.js';

/** Numbers may arrive as text. Anything else stays as it is, and is refused. */
const toNumber = ({ value }: { readonly value: unknown }): unknown =>
  typeof value === 'string' ? Number(value) : value;

/** A page of a list: number of rows and offset. Each call has its own defaults. */
export class PageRequest implements Page {
  @IsOptional()
  @Transform(toNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  p_limit?: number;

  @IsOptional()
  @Transform(toNumber)
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  p_offset?: number;
}
