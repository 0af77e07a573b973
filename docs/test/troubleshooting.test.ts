import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/guides/troubleshooting.md`, 'utf8');

/** What systems say, and not our sources. */
const foreign = new Set(['ECONNREFUSED', 'ENOTFOUND', 'UNAUTHENTICATED', 'PERMISSION_DENIED']);

it('names symptoms by texts that programs really print', () => {
  const texts = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
    .filter((text) => !foreign.has(text));
  expect(texts.length).toBeGreaterThan(8);
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(root + file, 'utf8'))
    .join('\n');
  const parts = texts.flatMap((text) => text.split(/\.\.\.|: /));
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

it('has a section for each alert, in the order of the rules', () => {
  const rules = readFileSync(`${root}packages/runtime-server/monitoring/prometheus-rules.yml`, 'utf8');
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const sections = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(alerts);
  const runbooks = [...rules.matchAll(/runbook_url: ".*#(\w+)"/g)].map(([, anchor]) => anchor);
  expect(runbooks).toEqual(alerts.map((name) => name?.toLowerCase()));
});
