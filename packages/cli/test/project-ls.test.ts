import { describe, expect, it } from 'vitest';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

const all = [
  'source:orders_raw',
  'model:orders_clean',
  'model:hourly_revenue',
  'model:orders_warehouse',
  'exposure:revenue_board',
];

describe('levada project ls', () => {
  it('lists every node after what it reads, with its kind and place', async () => {
    const { code, out, err } = await runCommand(['project', 'ls', await projectFolder(shop)]);
    expect([code, err]).toEqual([0, '']);
    const [head, ...lines] = out.trimEnd().split('\n');
    expect(head).toMatch(/^NAME +KIND +OWNER +TAGS +PLACE$/);
    expect(lines).toHaveLength(all.length);
    expect(lines[1]).toMatch(/^orders_clean +topic +team-shop +orders,clean +models\/orders.yml:2$/);
    expect(lines[3]).toMatch(/^orders_warehouse +sink /);
  });

  it.each([
    [[], all],
    [
      ['--select', '+orders_warehouse'],
      [all[0], all[1], all[3]],
    ],
    [
      ['--select', 'tag:clean', '--select', 'kind:exposure'],
      [all[1], all[4]],
    ],
    [
      ['--select', 'orders_clean+', '--exclude', 'kind:sink'],
      [all[1], all[2], all[4]],
    ],
  ])('prints only names for %j', async (args, names) => {
    const cwd = await projectFolder(shop);
    const { code, out } = await runCommand(['project', 'ls', '-o', 'name', ...args], { cwd });
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toEqual(names);
  });

  it('takes --format as the other commands do', async () => {
    const cwd = await projectFolder(shop);
    const { code, out } = await runCommand(['project', 'ls', '--format', 'name'], { cwd });
    expect([code, out.trimEnd().split('\n')]).toEqual([0, all]);
  });

  it('prints JSON with a schema, and places from 1', async () => {
    const cwd = await projectFolder(shop);
    const { out } = await runCommand(['project', 'ls', '-o', 'json', '--select', 'revenue_board'], { cwd });
    expect(JSON.parse(out)).toEqual({
      schema: 'levada.project-list/1',
      nodes: [
        {
          id: 'exposure:revenue_board',
          kind: 'exposure',
          name: 'revenue_board',
          tags: [],
          file: 'exposures/board.yml',
          range: { start: { line: 2, column: 11 }, end: { line: 2, column: 24 } },
        },
      ],
    });
  });

  it('ends with 2 for a selector that cannot be right, and says so of one that holds for nothing', async () => {
    const cwd = await projectFolder(shop);
    const wrong = await runCommand(['project', 'ls', '--select', 'tagg:x'], { cwd });
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('did you mean "tag:"?');
    const nothing = await runCommand(['project', 'ls', '--select', 'tag:x*'], { cwd });
    expect([nothing.code, nothing.out]).toEqual([0, '']);
    expect(nothing.err).toContain('tag:x*');
  });

  it('lists what could be read of a project with mistakes, says that it has some, and ends with 1', async () => {
    const cwd = await projectFolder({ ...shop, 'models/wrong.yml': 'models: [{ nam: x }]\n' });
    const { code, out, err } = await runCommand(['project', 'ls', '-o', 'name'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('model:orders_clean\n');
    expect(err).toMatch(/^levada: the project has \d errors?, so this may not be all/);
  });
});

describe('levada project validate --select', () => {
  it('reports what is about the selected nodes and their tests, and what is about no node', async () => {
    const cwd = await projectFolder({
      ...shop,
      'models/wrong.yml':
        'models: [{ name: lost, colour: red, sql: \'SELECT id FROM {{ ref("orders_clean") }}\' }]\n',
      'tests/wrong.yml': 'tests: [{ name: t, model: lost, type: sample, size: 1, assertions: [] }]\n',
    });
    const objects = async (...args: string[]) => {
      const { out } = await runCommand(['project', 'validate', '--format', 'json', ...args], { cwd });
      const { diagnostics } = JSON.parse(out) as { diagnostics: { object: string; severity: string }[] };
      return diagnostics.filter(({ severity }) => severity === 'error').map(({ object }) => object);
    };
    expect(new Set(await objects())).toEqual(new Set(['model:lost', 'test:t']));
    expect(new Set(await objects('--select', 'lost'))).toEqual(new Set(['model:lost', 'test:t']));
    expect(await objects('--select', 'orders_clean')).toEqual([]);
  });
});
