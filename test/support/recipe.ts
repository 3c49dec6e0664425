import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A step of a recipe: in a file, a text and what replaces it; null for a new file. */
export type Step = readonly [file: string, text: string | null, replacement: string];

/** Copies files and folders of the repository into a temporary folder with all packages. @returns the folder */
export function copySources(paths: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'fanvas-recipe-'));
  for (const path of paths) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Makes the changes of a recipe in a copy. @throws when a text is not in its file once */
export function follow(steps: readonly Step[], copy: string): void {
  for (const [file, text, replacement] of steps) {
    const path = join(copy, file);
    const before = text === null ? '' : readFileSync(path, 'utf8');
    if (text !== null && before.split(text).length !== 2) throw new Error(`${file} must have this once: ${text}`);
    writeFileSync(path, text === null ? replacement : before.replace(text, () => replacement));
  }
}
