/** Roles that the product knows. Everyone else is a fan or a creator. */
export type Role = 'admin' | 'finance' | 'auditor';

export const ROLES: readonly Role[] = ['admin', 'finance', 'auditor'];
