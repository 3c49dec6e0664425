import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { type Page } from '../../contract/scalars.js';

/** A page of a list: number of rows and offset. Each call has its own defaults. */
export class PageRequest implements Page {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  p_limit?: number;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  p_offset?: number;
}
