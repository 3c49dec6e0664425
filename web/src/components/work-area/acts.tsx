import { createContext, useContext } from 'react';

/** False once the server has said that this person has lost the role of the area. What was read stays on the screen. */
export const MayAct = createContext(true);

/** Whether to offer what changes something. */
export function useMayAct(): boolean {
  return useContext(MayAct);
}

/** Buttons and forms that change something, and their keys: gone once the role is lost. */
export function Acts({ children }: { readonly children: React.ReactNode }): React.ReactNode {
  return useMayAct() ? children : null;
}
