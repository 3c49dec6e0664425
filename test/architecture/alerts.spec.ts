import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(ROOT + file, 'utf8');
const rules = read('deploy/alerts.yml');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

describe('deploy/alerts.yml', () => {
  it('asks only for metrics that the app declares', () => {
    const declared = new Set<string>();
    const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))) {
      for (const [, name = ''] of read(`src/${file}`).matchAll(/name: '(fanvas_\w+)'/g)) declared.add(name);
    }
    const asked = [...rules.matchAll(/fanvas_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''));
    expect(asked.length).toBeGreaterThan(15);
    expect(asked.filter((name) => !declared.has(name))).toEqual([]);
  });

  it('links each alert to its section of the runbook, which has no other sections', () => {
    const linked = [...rules.matchAll(/runbook: docs\/runbooks\/alerts\.md#(\w+)/g)].map(([, anchor]) => anchor);
    expect(linked).toEqual(alerts.map((name) => name.toLowerCase()));
    const sections = [...read('docs/runbooks/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts);
  });

  it('has a test that fires each alert, which Prometheus passes where it is installed', () => {
    const fired = [...read('deploy/alerts.test.yml').matchAll(/^ {6}- alertname: (\w+)$/gm)].map(([, name]) => name);
    expect(fired).toEqual(alerts);
    if (!existsSync('/usr/bin/promtool')) return;
    execFileSync('/usr/bin/promtool', ['test', 'rules', `${ROOT}deploy/alerts.test.yml`], { stdio: 'pipe' });
  });
});
