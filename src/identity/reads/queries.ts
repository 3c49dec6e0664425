import { Query } from '@nestjs/cqrs';

/** A user as other contexts need one. Personal data: show it to that user and to admins only. */
export interface UserSummary {
  readonly id: string;
  /** Null as long as the provider could not be asked. */
  readonly email: string | null;
  /** Null when the user gave none. */
  readonly name: string | null;
  readonly imageUrl: string | null;
}

/** One user by id; null when there is none, or no longer. */
export class GetUser extends Query<UserSummary | null> {
  constructor(readonly userId: string) {
    super();
  }
}
