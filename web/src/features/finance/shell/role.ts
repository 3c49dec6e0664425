import { createContext, useContext } from 'react';

/** True for admins. Finance people who are no admins prepare runs, and do not check or record them. */
export const AdminRole = createContext(false);

/** Whether the person is an admin. The server decides again at each act. */
export function useIsAdmin(): boolean {
  return useContext(AdminRole);
}
