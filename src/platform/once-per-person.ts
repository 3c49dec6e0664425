/**
 * - `claimed`: the user may have it. A repeat by the same user returns this again.
 * - `waiting`: the user has no verified address yet, or the identity provider has not confirmed one.
 * - `taken`: another user with the same address had it.
 * - `refused`: the address imitates another one.
 */
export type PersonalClaim = 'claimed' | 'waiting' | 'taken' | 'refused';

/**
 * Grants something once to each person, as far as a verified address identifies one. The identity context implements
 * it, and the ledger asks before it opens an account with a gift. There is one such thing, so it has no name.
 */
export abstract class OncePerPerson {
  /** Stores the claim before it returns `claimed`, so that a crash after the call is mended by a repeat. */
  abstract claim(userId: string): Promise<PersonalClaim>;
}
