/** A place of a work area. */
export interface Place {
  readonly path: string;
  readonly label: string;
  /** Pressed after G. */
  readonly letter: string;
}

/** The place that a path belongs to: the longest one that it begins with. */
export function placeOf<P extends Place>(places: readonly P[], pathname: string): P | undefined {
  return places.filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`)).at(-1);
}
