import { createContext, useContext } from 'react';

/** Name of the work area, as its switch shows it: `Admin`, `Audit`. */
export const Area = createContext('Admin');

/** The name of the work area that a page belongs to. */
export function useArea(): string {
  return useContext(Area);
}
