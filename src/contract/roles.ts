export const ROLES = ['admin', 'finance', 'auditor'] as const;
/** A role with extra permissions. Users without a role are fans or creators. */
export type Role = (typeof ROLES)[number];

/** Callers of a call, or readers of a page: everyone, signed-in users, or the holders of a role. */
export type Access = 'public' | 'user' | Role;
