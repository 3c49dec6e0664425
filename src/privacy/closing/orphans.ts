/** From this number on, folders of which none is used show a wrong or empty database, not crashes. */
const SUSPICIOUS_COUNT = 20;

/**
 * The folders without a row that refers to them. Null when there are many folders and none is used: the database is
 * then probably another one, or is not restored yet, and the files must stay.
 */
export function orphansOf(folders: readonly string[], used: ReadonlySet<string>): readonly string[] | null {
  if (used.size === 0 && folders.length >= SUSPICIOUS_COUNT) return null;
  return folders.filter((folder) => !used.has(folder));
}
