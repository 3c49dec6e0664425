import { createContext, useContext } from 'react';

/** Whether a page of the area is registered under a path. */
export const HasPage = createContext<(path: string) => boolean>(() => true);

/** A function that says whether a page of the area exists: link only to pages that do. */
export function useHasPage(): (path: string) => boolean {
  return useContext(HasPage);
}
