import { sourceFormsYaml } from '@levada/test-peers/engine';
import { checkProject, loadProject } from '../../src/index.ts';
import { projectJobs } from '../../src/jobs/project-jobs.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** A model, and what the planner has to say of its rows: kinds of changes, and keys by names. */
export interface ReadingModel {
  readonly name: string;
  readonly sql: string;
}

/** Models that read each form. */
export const readingModels: readonly ReadingModel[] = [
  { name: 'all_customers', sql: 'SELECT * FROM @customers' },
  { name: 'some_customers', sql: "SELECT id, UPPER(name) AS name FROM @customers WHERE name <> ''" },
  { name: 'all_prices', sql: 'SELECT * FROM @prices' },
  { name: 'prices_without_key', sql: 'SELECT price FROM @prices' },
  { name: 'all_orders', sql: 'SELECT * FROM @orders' },
  { name: 'orders_by_customer', sql: 'SELECT customer, SUM(amount) AS total FROM @orders GROUP BY customer' },
  { name: 'all_payments', sql: 'SELECT * FROM @payments' },
  { name: 'all_audit', sql: 'SELECT * FROM @audit' },
  { name: 'audit_by_who', sql: 'SELECT who, COUNT(*) AS n FROM @audit GROUP BY who' },
  { name: 'all_clicks', sql: 'SELECT * FROM @clicks' },
  {
    name: 'clicks_by_minute',
    sql: "SELECT window_start, window_end, host, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE @clicks, DESCRIPTOR(`time`), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, host",
  },
  {
    name: 'orders_by_minute',
    sql: "SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE @orders, DESCRIPTOR(placed), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end",
  },
  {
    name: 'clicks_of_customers',
    sql: 'SELECT c.visitor, c.`time`, u.name FROM @clicks AS c LEFT JOIN @customers FOR SYSTEM_TIME AS OF c.`time` AS u ON c.visitor = u.id',
  },
  {
    name: 'orders_with_payments',
    sql: 'SELECT o.id, p.id AS payment, o.customer FROM @orders AS o JOIN @payments AS p ON p.order_id = o.id',
  },
  {
    name: 'orders_with_customers',
    sql: 'SELECT o.id, c.name FROM @orders AS o LEFT JOIN @customers AS c ON o.customer = c.id',
  },
];

/** The project of all sources with these models. */
export async function sourceProject(
  models: readonly object[],
  {
    sources = sourceFormsYaml,
    version = '2.2',
  }: { readonly sources?: string; readonly version?: string } = {},
) {
  const files = {
    'stream_project.yml': JSON.stringify({
      project: { name: 'forms' },
      runtime: {
        platform: { bootstrap_servers: 'localhost:9092' },
        schema_registry: { url: 'http://localhost:8081' },
        engine: { clusters: { main: { version } } },
      },
    }),
    'sources/s.yml': sources,
    'models/m.yml': JSON.stringify({ models }),
  };
  const { project, diagnostics } = checkProject(await loadProject({ fileSystem: memoryFileSystem(files) }));
  return { project, diagnostics, ...projectJobs(project) };
}

/** SQL with macros in place of "@name". */
export function withMacros(sql: string): string {
  return sql.replace(/@(\w+)/g, '{{ source("$1") }}');
}
