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

  it('follows a selection upstream and downstream, unless a direction or depth is given', async () => {
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

  it('shows columns, and what each is made of', async () => {
    const { code, out } = await lineage('--columns');
    expect(code).toBe(0);
    expect(out).toContain('amount');
    const json = JSON.parse((await lineage('--columns', '--format', 'json')).out) as object;
    expect(json).toHaveProperty('columns');
    expect(await lineage('--columns', '--format', 'dot')).toMatchObject({ code: 2 });
  });

  it('follows one column upstream and downstream', async () => {
    const { code, out } = await lineage('--column', 'orders_clean.amount');
    expect(code).toBe(0);
    expect(out).toContain('model:orders_clean.amount <- source:orders_raw.amount\n');
    expect(out).toContain('model:orders_clean.amount -> model:hourly_revenue.revenue (aggregation)\n');
    const up = await lineage('--column', 'model:orders_clean.amount', '--upstream', '--format', 'json');
    expect(JSON.parse(up.out)).toMatchObject({
      schema: 'levada.project-column/1',
      upstream: { column: 'amount', steps: [{ from: { node: 'source:orders_raw', column: 'amount' } }] },
    });
    expect(JSON.parse(up.out)).not.toHaveProperty('downstream');
  });

  it.each([
    ['orders_clen.amount', 'did you mean "orders_clean"?'],
    ['orders_clean.amuont', 'did you mean "amount"?'],
    ['orders_clean', 'expected a node and its column'],
  ])('ends with 2 for the column %s', async (column, hint) => {
    const { code, err } = await lineage('--column', column);
    expect(code).toBe(2);
    expect(err).toContain(hint);
  });
});
