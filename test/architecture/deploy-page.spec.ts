import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { commandsOf } from '../../scripts/lib/page-commands.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(ROOT + file, 'utf8');
const page = read('docs/deploy.md');
const commands = commandsOf(page);
const units = readdirSync(`${ROOT}deploy/systemd`).map((name) => read(`deploy/systemd/${name}`));
/** Files that the page installs and that name settings. */
const texts = [...commands.map(({ text }) => text), ...units];

/** `npm run test:deploy` runs the page, before each release. This spec finds what a change breaks, in `npm test`. */
describe('docs/deploy.md', () => {
  it('has commands in its sections, and none that bash cannot read', () => {
    expect(new Set(commands.map(({ section }) => section)).size).toBeGreaterThan(8);
    for (const { line, text } of commands) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' });
    }
  });

  it('names settings that the app reads', () => {
    const config = read('src/platform/config/load-config.ts');
    // Those of systemd's and other programs are not the app's.
    const others = /^(?:PG|AWS_|BACKUP_|EXTRAOPTS|DEBIAN_|LANG$|APP_PASSWORD|AUDIT_PASSWORD|ON_ERROR)/;
    const named = texts.flatMap((text) =>
      [...text.matchAll(/(?<![\w$])([A-Z][A-Z_]{3,})=/g)].map(([, name = '']) => name),
    );
    const settings = [...new Set(named)].filter((name) => !others.test(name));
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !config.includes(`'${name}'`))).toEqual([]);
  });

  it('names files of the repository that exist', () => {
    const named = texts.flatMap((text) => [
      ...[...text.matchAll(/\bsource\/(deploy\/[\w./@-]*\w)/g)].map(([, file = '']) => file),
      // Root's copy of the folder.
      ...[...text.matchAll(/\/usr\/local\/lib\/fanvas\/([\w./@-]*\w)/g)].map(([, file = '']) => `deploy/${file}`),
      ...[...text.matchAll(/(?<![\w/])(deploy\/[\w./@-]*\w)/g)].map(([, file = '']) => file),
    ]);
    expect(named.length).toBeGreaterThan(8);
    expect([...new Set(named)].filter((file) => !existsSync(ROOT + file))).toEqual([]);
  });
});

describe('deploy/release.sh', () => {
  it('leaves the packages outside of the bundle that the image leaves there', () => {
    const packagesOf = (file: string): string | undefined => /image-packages\.mjs \S+ (.+)$/m.exec(read(file))?.[1];
    expect(packagesOf('deploy/release.sh')).toBe(packagesOf('Dockerfile'));
    expect(packagesOf('Dockerfile')).toContain('sharp');
  });
});

describe('commandsOf', () => {
  it('finds the blocks of commands with their section and line, and leaves blocks of other languages', () => {
    const sample =
      '# Page\n\n```sh\necho 1\n# no heading\n```\n\n## Part\n\n```ini\n# no heading\nA=1\n```\n\n```sh\necho 2\n```\n';
    expect(commandsOf(sample)).toEqual([
      { section: 'Page', line: 4, text: 'echo 1\n# no heading\n' },
      { section: 'Part', line: 16, text: 'echo 2\n' },
    ]);
  });
});
