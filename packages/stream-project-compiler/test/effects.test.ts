import { allFields, isLeaf } from '@levada/stream-project-schema';
import { describe, expect, it } from 'vitest';
import { type Compilation, catalogue, compile, loadProject } from '../src/index.ts';
import { keysWithoutEffect } from '../src/parse/parse-codes.ts';
import { otherSecret, everyKey as project, secret } from './project-support/every-key.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';

type Json = Record<string, unknown>;

/** Other values, where a rule or the rest of the project decides which are possible or count. */
const others: Readonly<Record<string, unknown>> = {
  'project.version': '1.0.1',
  'runtime.engine.default': 'second',
  'runtime.engine.clusters.<cluster>.version': '2.1',
  'runtime.connect.default': 'second',
  'defaults.models.cluster': 'second',
  'defaults.tests.engine_cluster': 'second',
  'rules.topics.min_partitions': 50,
  'rules.topics.max_partitions': 2,
  'rules.topics.min_replication_factor': 9,
  'rules.topics.required_config[]': 'cleanup.policy',
  'rules.topics.naming_pattern': 'x',
  'rules.topics.forbidden_prefixes[]': 'clean',
  'rules.models.max_dependencies': 0,
  'sources[].columns[].type': 'VARCHAR(9)',
  'sources[].columns[].expression': 'pieces / 3',
  'sources[].event_time.column': 'id',
  'models[].key': 'amount',
  'models[].sql': 'SELECT id FROM {{ source("orders") }}',
  'models[].from[].ref': 'scored',
  'models[].from[].source': 'payments',
  'models[].deprecation.<version>.sunset_date': '2032-01-01',
  'models[].ml_outputs.<model>.columns[].type': 'FLOAT',
  'models[].advanced.engine_cluster': 'second',
  'models[].advanced.connect_cluster': 'second',
  'models[].advanced.event_time.column': 'id',
  'tests[].model': 'orders',
  'tests[].assertions[].accepted_types.types.<column>': 'BIGINT',
  'tests[].assertions[].unique_key.window': '2 HOUR',
  'tests[].assertions[].custom_sql.sql': 'SELECT amount FROM {{ ref("clean") }}',
  'tests[].assertions[].foreign_key.ref_model': 'clean',
  'tests[].engine_cluster': 'second',
  'exposures[].schedule': '1 * * * *',
  'exposures[].sla.availability': '98%',
  'exposures[].contracts.compatibility': 'NONE',
  'exposures[].consumes[].ref': 'scored',
  'exposures[].consumes[].source': 'payments',
  'exposures[].produces[].ref': 'clean',
  'exposures[].produces[].source': 'orders',
};

/** What is taken out of the project first, because it would count instead. */
const hidden: Readonly<Record<string, readonly (readonly (string | number)[])[]>> = {
  'runtime.engine.default': [
    ['defaults', 'models', 'cluster'],
    ['defaults', 'tests', 'engine_cluster'],
  ],
  'runtime.connect.default': [['models', 3, 'advanced']],
  'defaults.topic.partitions': [
    ['defaults', 'models', 'topic'],
    ['models', 0, 'advanced', 'topic', 'partitions'],
  ],
  'defaults.topic.replication_factor': [
    ['defaults', 'models', 'topic'],
    ['models', 0, 'advanced', 'topic', 'replication_factor'],
  ],
};

interface Leaf {
  /** The row, `models[].key`. */
  readonly row: string;
  readonly path: readonly (string | number)[];
}

const rows = new Map(allFields('project').map(({ path, field }) => [path, field]));

/** The first place of each row of the project. */
function leavesIn(value: unknown, row = '', path: readonly (string | number)[] = []): readonly Leaf[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => leavesIn(item, `${row}[]`, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return [{ row, path }];
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = row === '' ? key : `${row}.${key}`;
    const open = [...rows.keys()].find(
      (one) => one.startsWith(`${row}.<`) && one.endsWith('>') && !one.slice(row.length + 2).includes('.'),
    );
    return leavesIn(inner, rows.has(own) ? own : (open ?? own), [...path, key]);
  });
}

function at(value: unknown, path: readonly (string | number)[]): Json {
  return path.reduce((inner, key) => (inner as Json)[key] as Json, value as Json);
}

/** The project with another value in one place. */
function changed(base: Json, { row, path }: Leaf): Json {
  const copy = structuredClone(base);
  const key = path.at(-1) ?? '';
  const holder = at(copy, path.slice(0, -1));
  holder[key] = otherThan(holder[key], row);
  return copy;
}

function otherThan(value: unknown, row: string): unknown {
  if (row in others) return others[row];
  const field = rows.get(row);
  if (field?.type === 'enum') return Object.keys(field.values).find((word) => word !== value);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return Number.isInteger(value) ? value + 1 : value / 2;
  return value === secret ? otherSecret : `${String(value)}2`;
}

const policy = Object.fromEntries(Object.keys(catalogue).map((code) => [code, 'warning' as const]));

/** All that is said of a project, and all that it is compiled to. */
async function outcomeOf({ sources, models, tests, exposures, ...main }: Json, previous?: Compilation) {
  const environment = { ONE: 'x', TWO: 'x' };
  const parts = Object.entries({ sources, models, tests, exposures });
  const files = {
    'stream_project.yml': JSON.stringify(main),
    ...Object.fromEntries(parts.map(([key, part]) => [`${key}/all.yml`, JSON.stringify({ [key]: part })])),
  };
  const compiled = compile(await loadProject({ fileSystem: memoryFileSystem(files), environment }), {
    today: '2025-01-01',
    policy,
    ...(previous === undefined ? {} : { previous }),
  });
  const findings = compiled.diagnostics.map(({ code, message }) => `${code} ${message}`);
  return { findings, text: JSON.stringify([findings, ...[...compiled.files].map(withoutPlaces)]), compiled };
}

/** A longer value moves all that comes after it on its line. */
function withoutPlaces([path, text]: readonly [string, string]): unknown {
  const {
    source_map: _map,
    files: _hashes,
    ...facts
  } = path.endsWith('.json') ? (JSON.parse(text) as Json) : { text };
  return [path, facts];
}

describe('a key of the format', () => {
  const leaves = leavesIn(project);

  it('is in the project of these tests, unless it is planned', () => {
    const missing = [...rows].flatMap(([path, field]) =>
      isLeaf(field) && field.status !== 'planned' && !leaves.some(({ row }) => row === path) ? [path] : [],
    );
    expect(missing).toEqual([]);
  });

  it('has an effect on what is compiled or said, or LV1303 names it', async () => {
    const whole = await outcomeOf(project);
    const silent: string[] = [];
    const refused: string[] = [];
    for (const row of new Set(leaves.map((leaf) => leaf.row))) {
      const base = structuredClone(project);
      for (const path of hidden[row] ?? []) delete at(base, path.slice(0, -1))[path.at(-1) ?? ''];
      const before = hidden[row] === undefined ? whole : await outcomeOf(base, whole.compiled);
      expect(before.compiled.files.size).toBeGreaterThan(5);
      let hasEffect = false;
      for (const leaf of leaves.filter((one) => one.row === row)) {
        const after = await outcomeOf(changed(base, leaf), whole.compiled);
        refused.push(
          ...after.findings.filter((one) => /^LV1(?:1|3(?!03))/.test(one) && !before.findings.includes(one)),
        );
        hasEffect ||= after.text !== before.text;
        if (hasEffect) break;
      }
      if (!hasEffect) silent.push(row);
    }
    expect(refused).toEqual([]);
    expect(silent.sort()).toEqual([...keysWithoutEffect].sort());
  }, 120_000);

  it('is reported by LV1303 in each place where it has no effect, and nowhere else', async () => {
    const { findings } = await outcomeOf(project);
    const reported = findings.filter((one) => one.startsWith('LV1303'));
    const written = leaves.filter(({ row }) => keysWithoutEffect.includes(row));
    expect(written.length).toBeGreaterThan(3);
    expect(reported).toHaveLength(written.length);
  });
});
