import { describe, expect, it } from 'vitest';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

async function lineage(...args: string[]) {
  return runCommand(['project', 'lineage', ...args], { cwd: await projectFolder(shop) });
}

/** Ids at the beginning of lines. */
async function nodes(...args: string[]): Promise<readonly string[]> {
  const { out } = await lineage(...args);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/)[0] ?? '');
}

describe('levada project lineage', () => {
  it('prints each node with what it reads', async () => {
    const { code, out } = await lineage();
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'source:orders_raw       source',
        'model:orders_clean      topic     <- source:orders_raw',
        'model:hourly_revenue    engine    <- model:orders_clean',
        'model:orders_warehouse  sink      <- model:orders_clean',
        'exposure:revenue_board  exposure  <- model:hourly_revenue',
        '',
      ].join('\n'),
    );
  });

  it('goes both ways from what is selected, unless told which way or how far', async () => {
    const revenue = ['source:orders_raw', 'model:orders_clean', 'model:hourly_revenue'];
    expect(await nodes('hourly_revenue')).toEqual([...revenue, 'exposure:revenue_board']);
    expect(await nodes('hourly_revenue', '--upstream')).toEqual(revenue);
    expect(await nodes('hourly_revenue', '--downstream')).toEqual([revenue[2], 'exposure:revenue_board']);
    expect(await nodes('1+hourly_revenue')).toEqual(revenue.slice(1));
  });

  it('takes the folder as first word or as option', async () => {
    const folder = await projectFolder(shop);
    const first = await runCommand(['project', 'lineage', folder, '1+hourly_revenue']);
    const option = await runCommand(['project', 'lineage', '1+hourly_revenue', '--dir', folder]);
    expect(first).toEqual(option);
    expect(first.out.trimEnd().split('\n')).toHaveLength(2);
  });

  it.each([
    ['mermaid', 'flowchart LR\n'],
    ['dot', 'digraph lineage {\n'],
    ['json', '{\n  "schema": "levada.lineage/1",\n'],
  ])('prints %s', async (format, start) => {
    const { code, out } = await lineage('--format', format);
    expect(code).toBe(0);
    expect(out.startsWith(start)).toBe(true);
  });

  it('ends with 2 and the nearest name for a selector of nothing', async () => {
    const { code, err } = await lineage('orders_clen');
    expect(code).toBe(2);
    expect(err).toContain('did you mean "orders_clean"?');
  });
});
