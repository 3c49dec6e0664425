import { OncePerPerson, type PersonalClaim } from '../../src/platform/once-per-person.js';

/** Treats every user as a person of their own. Stores no claims. */
export class EveryUserIsAPerson extends OncePerPerson {
  override async claim(): Promise<PersonalClaim> {
    return Promise.resolve('claimed');
  }
}
