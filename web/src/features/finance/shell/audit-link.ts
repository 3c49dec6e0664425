import { createContext, useContext } from 'react';

/** The address of an event in the audit area. */
export type AuditPath = (userId: string, version: number) => string;

/** Null for people who may not see the audit area. */
export const AuditLink = createContext<AuditPath | null>(null);

/** Where an event is in the audit area; null for people who may not see it. */
export function useAuditPath(): AuditPath | null {
  return useContext(AuditLink);
}
