import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createProgram } from '../src/main.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('lists every project command with existing options in the README', () => {
  const terminal = {
    out: () => undefined,
    err: () => undefined,
    env: {},
    cwd: '.',
    signal: new AbortController().signal,
  };
  const project = createProgram(terminal).commands.find((command) => command.name() === 'project');
  const rows = [...readme.matchAll(/^\| `levada project (\w+)(.*)$/gm)];
  const names = project?.commands.map((command) => command.name());
  expect([...new Set(rows.map(([, name]) => name))].toSorted()).toEqual(names?.toSorted());
  for (const [, name, rest = ''] of rows) {
    const command = project?.commands.find((one) => one.name() === name);
    const known = command?.options.map(({ long }) => long) ?? [];
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(known).toContain(option);
  }
});
