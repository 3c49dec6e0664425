import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CONNECTIONS } from '../../src/platform/database/connection-shares.js';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

/** `max_connections` of a server that sets nothing else. */
const DEFAULT_OF_POSTGRES = 100;

/** The lines of a service in docker-compose.yml. */
function serviceLines(name: string): string[] {
  const [, after = ''] = read('docker-compose.yml').split(`\n  ${name}:\n`);
  const lines = after.split('\n');
  const end = lines.findIndex((line) => /^ {0,2}\S/.test(line));
  return lines.slice(0, end);
}

/** EventStoreDB refuses to start with an unknown setting, and reads the app's EVENTSTORE_URL as a setting. */
describe('docker-compose.yml', () => {
  it('sets no variable for the event store that it would read as a setting', () => {
    const names = serviceLines('kurrentdb').flatMap((line) => /^ {6}([A-Z_]+):/.exec(line)?.[1] ?? []);
    expect(names).toContain('KURRENTDB_CLUSTER_SIZE');
    expect(names.filter((name) => /^(EVENTSTORE|KURRENTDB)_URL$/.test(name))).toEqual([]);
    expect(serviceLines('kurrentdb').join('\n')).not.toContain('env_file');
  });

  it('warns about EVENTSTORE_URL in the service, like the guide', () => {
    expect(serviceLines('kurrentdb').join('\n')).toMatch(/# .*EVENTSTORE_URL/);
    expect(read('docs/event-store.md')).toContain('The option "Url" is not a known option');
  });

  it('names each volume as compose named those of older installations', () => {
    const [, volumes = ''] = read('docker-compose.yml').split('\nvolumes:\n');
    const names = [...volumes.matchAll(/^ {2}([\w-]+):\n {4}name: (\S+)$/gm)].map(([, key, name]) => [key, name]);
    expect(names).toEqual(
      ['postgres', 'app', 's3', 'backups', 'kurrentdb', 'kurrentdb-logs'].map((key) => [key, `fanvas_${key}`]),
    );
  });

  it('has nothing that docker-compose 1.29 refuses: a name of the project, and optional files of settings', () => {
    expect(read('docker-compose.yml')).not.toMatch(/^name:|^ *required:/m);
  });

  it('lets only the proxy reach the app, which trusts it', () => {
    const app = /^x-app: &app\n(?: .*\n)+/m.exec(read('docker-compose.yml'))?.[0] ?? '';
    expect(app).toContain("TRUST_PROXY: 'true'");
    for (const name of ['app1', 'app2', 'worker']) expect(serviceLines(name).join('\n')).not.toContain('ports:');
    expect(app).not.toContain('ports:');
  });

  it('has one worker besides the processes that serve requests, and connections for all of them', () => {
    const file = read('docker-compose.yml');
    expect(file.match(/^ +FANVAS_ROLES: .+$/gm)).toEqual(['    FANVAS_ROLES: web', '      FANVAS_ROLES: worker']);
    expect(serviceLines('worker')).toContain('      FANVAS_ROLES: worker');
    const processes = [...file.matchAll(/^ {4}<<: \*app$/gm)].length;
    expect(processes * DEFAULT_CONNECTIONS).toBeLessThan(DEFAULT_OF_POSTGRES / 2);
    expect(read('deploy/haproxy.cfg').match(/^ +server (\w+)/gm)).toHaveLength(processes - 1);
  });
});
