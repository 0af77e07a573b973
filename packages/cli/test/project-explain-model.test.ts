import { describe, expect, it } from 'vitest';
import { projectFolder, shop } from './project-folder.ts';
import { runCommand } from './run-command.ts';

describe('levada project explain <model>', () => {
  it('says what the model becomes, by which line, and where each value comes from', async () => {
    const cwd = await projectFolder(shop);
    const { code, out } = await runCommand(['project', 'explain', 'hourly_revenue'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^model hourly_revenue {2}models\/orders.yml:10:11\n/);
    expect(out).toMatch(/becomes a job on the engine, because .*\n {2}models\/orders.yml:\d+:\d+ {2}\S/);
    expect(out).toMatch(/partitions +3 +models\/orders.yml:13:21 +models\[1\].advanced.topic.partitions\n/);
    expect(out).toMatch(
      /replication factor +1 +stream_project.yml:16:25 +defaults.topic.replication_factor\n/,
    );
    expect(out).toContain('\nread by\n  exposure:revenue_board\n');
  });

  it('takes the folder as first word or as option, and prints data', async () => {
    const folder = await projectFolder(shop);
    const json = ['--format', 'json'];
    const first = await runCommand(['project', 'explain', folder, 'orders_clean', ...json]);
    const option = await runCommand(['project', 'explain', 'model:orders_clean', '--dir', folder, ...json]);
    expect(first).toEqual(option);
    expect(JSON.parse(first.out)).toMatchObject({
      schema: 'levada.project-explanation/1',
      id: 'model:orders_clean',
      readBy: ['model:hourly_revenue', 'model:orders_warehouse'],
      tests: [{ name: 'orders_are_keyed', type: 'sample' }],
    });
  });

  it('names the nearest model and ends with 1 for one that does not exist', async () => {
    const cwd = await projectFolder(shop);
    const { code, err } = await runCommand(['project', 'explain', 'orders_clen'], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('did you mean "orders_clean"?');
  });

  it('explains a model whose name is also a diagnostic code', async () => {
    const sql = 'SELECT id FROM {{ source("orders_raw") }}';
    const folder = await projectFolder({
      ...shop,
      'models/c.yml': `models: [{ name: cycle, sql: '${sql}' }]\n`,
    });
    const explain = async (...args: string[]) =>
      (await runCommand(['project', 'explain', ...args], { cwd: folder })).out.slice(0, 6);
    expect(await explain('cycle')).toMatch(/^LV\d{4}$/);
    expect(await explain('model:cycle')).toBe('model ');
    expect(await explain('.', 'cycle')).toBe('model ');
    expect(await explain('cycle', '--dir', '.')).toBe('model ');
    expect(await explain('unknown-key', '--dir', '.')).toBe('LV1301');
  });
});
