/** A role with extra permissions. Users without a role are fans or creators. */
export type Role = 'admin' | 'finance' | 'auditor';

export const ROLES: readonly Role[] = ['admin', 'finance', 'auditor'];
