import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '@levada/test-peers/new-folder';
import { describeProgram, promtool } from '@levada/test-peers/programs';
import { expect, it } from 'vitest';
import { scriptedClass, startRuntime } from './runtime-fixture.ts';

const folder = fileURLToPath(new URL('../monitoring', import.meta.url));

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

describeProgram('monitoring files', promtool, (check) => {
  it('have rules that Prometheus loads, that fire when they should, and stay silent otherwise', () => {
    expect(check()(['check', 'rules', join(folder, 'prometheus-rules.yml')])).toMatchObject({ code: 0 });
    const tested = check()(['test', 'rules', join(folder, 'prometheus-rules.test.yml')]);
    expect(tested).toMatchObject({ code: 0, output: expect.stringContaining('SUCCESS') });
  });

  it('are loaded by the Prometheus of deploy/compose', async () => {
    const home = await newFolder();
    const text = await readFile(join(folder, '../../../deploy/compose/prometheus.yml'), 'utf8');
    const file = join(home, 'prometheus.yml');
    await writeFile(file, text.replace('/etc/levada', folder));
    const { code, output } = check()(['check', 'config', file]);
    expect(output).toContain('SUCCESS: 1 rule files found');
    expect(code).toBe(0);
  });

  it('have a dashboard whose queries Prometheus can read', async () => {
    const text = await readFile(join(folder, 'grafana-dashboard.json'), 'utf8');
    const { panels } = JSON.parse(text) as Dashboard;
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    const rules = queries.map((expr, at) => ({
      record: `query_${at}`,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$connector', '.*'),
    }));
    const file = join(await newFolder(), 'queries.yml');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    const { code, output } = check()(['check', 'rules', file]);
    expect(output).toContain(`${queries.length} rules found`);
    expect(code).toBe(0);
  });

  it('belong to metrics that Prometheus can read', async () => {
    const worker = await startRuntime();
    try {
      const name = 'with "quotes" {and} braces';
      const config = { 'connector.class': scriptedClass, topic: 't' };
      await worker.call('POST', '/connectors', { name, config });
      const status = `/connectors/${encodeURIComponent(name)}/status`;
      await worker.until(status, ({ json }) => json?.tasks?.[0]?.state === 'RUNNING');
      const { text } = await worker.call('GET', '/metrics');
      expect(text).toContain('kafka_connect_source_task_source_record_poll_total{connector="with ');
      const { output } = check()(['check', 'metrics'], text);
      // It has opinions about names that others have chosen; what it cannot read is an error.
      expect(output).not.toMatch(/error while linting|parsing/i);
    } finally {
      await worker.close();
    }
  });
});
