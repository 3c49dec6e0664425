import { Transform } from 'class-transformer';
import { type Count } from '../scalars.js';
import { IsId, IsPrintableId, IsWhole, MAX_INTEGER, Optional } from './fields.js';

/** Numbers may arrive as text. Anything else stays as it is, and is refused. */
const toNumber = ({ value }: { readonly value: unknown }): unknown =>
  typeof value === 'string' ? Number(value) : value;

/** A page of a list: number of rows and offset. Each call has its own defaults. */
export class PageRequest {
  @Transform(toNumber)
  @Optional(IsWhole(1, 100))
  p_limit?: Count;

  @Transform(toNumber)
  @Optional(IsWhole(0, 1_000_000))
  p_offset?: Count;
}

export class CreatorById {
  @IsId()
  p_creator_id!: string;
}

export class GenerationByUuid {
  @IsId()
  p_generation_id!: string;
}

export class UserById {
  @IsPrintableId()
  p_user_id!: string;
}

export class AccountEventRequest extends UserById {
  @IsWhole(0, MAX_INTEGER)
  p_version!: Count;
}
