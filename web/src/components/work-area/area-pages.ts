/** A page in the menu of a work area. */
export interface AreaPage {
  readonly path: string;
  readonly label: string;
  /** Pressed after G. */
  readonly letter: string;
}

/** The page that a path belongs to: the longest one that it begins with. */
export function pageOf<P extends AreaPage>(pages: readonly P[], pathname: string): P | undefined {
  return pages.filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`)).at(-1);
}
