import type { Materialization } from '@levada/stream-project-schema';
import { quote } from '../../diagnostics/quote.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { numberAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import { at, atReference, finding, named } from '../finding.ts';
import type { ModelRule, Rule } from '../rule.ts';
import { shown } from '../written-value.ts';
import { hasSink } from './sinks.ts';
import { structureCodes } from './structure-codes.ts';

const jobSettings = ['advanced.engine', 'advanced.engine_cluster'];

/**
 * Keys without effect, by what the model becomes. A topic with SQL is filled by a job, so it has those of jobs. Models that read a
 * virtual topic ask for its event time.
 */
const withoutEffect: Readonly<Record<Materialization | 'plain-topic', readonly string[]>> = {
  sink: [...jobSettings, 'advanced.event_time', 'advanced.topic', 'key'],
  virtual_topic: [
    ...jobSettings,
    'advanced.topic.partitions',
    'advanced.topic.replication_factor',
    'advanced.topic.config',
    'advanced.connect_cluster',
    'sink',
    'advanced.sink',
  ],
  engine: ['advanced.connect_cluster'],
  topic: ['advanced.connect_cluster'],
  'plain-topic': [...jobSettings, 'advanced.connect_cluster'],
};

const words = {
  sink: 'a sink',
  virtual_topic: 'a virtual topic',
  engine: 'a job of the engine',
  topic: 'a topic',
} as const satisfies Readonly<Record<Materialization, string>>;

/** Every setting of a model matters for what the model becomes. */
export const noEffect: ModelRule =
  () =>
  ({ model: { definition }, as }) => {
    if (as === undefined || (as.kind === 'sink' && !hasSink(definition))) return [];
    const isPlain = as.kind === 'topic' && !definition.node.entries.has('sql');
    return withoutEffect[isPlain ? 'plain-topic' : as.kind].flatMap((path) => {
      const { node } = placeOf(definition.node, path);
      // An object without any key counts as absent
      if (node === undefined || (node.kind === 'object' && node.entries.size === 0)) return [];
      return [
        finding(structureCodes['no-effect'], at(definition, path, 'key'), {
          message: `"${path}" has no effect: ${named(definition)} is ${words[as.kind]} because ${as.reason}`,
          hint: 'remove it',
        }),
      ];
    });
  };

/** A second. Who keeps state for less most likely thought of seconds. */
const SHORTEST_MS = 1000;

/** State is kept for a second at least. */
export const stateTtl: ModelRule =
  () =>
  ({ model: { definition } }) => {
    const path = 'advanced.engine.state_ttl_ms';
    const node = numberAt(definition.node, path);
    if (node === undefined || node.value >= SHORTEST_MS) return [];
    return [
      finding(structureCodes['state-ttl-short'], at(definition, path), {
        message: `${named(definition)} keeps state for ${shown(node)} ms, expected at least ${SHORTEST_MS}`,
        hint: 'the unit is milliseconds: 86400000 is a day',
      }),
    ];
  };

/** What `from` lists beside SQL is read by the SQL. */
export const unusedFrom: ModelRule =
  () =>
  ({ model: { definition, sql, inputs } }) => {
    if (sql === undefined || sql.parsed.diagnostics.length > 0) return [];
    // SQL beside a sink was reported, and it may be the SQL that goes
    if (hasSink(definition)) return [];
    // A name in the SQL that is not defined may be the one that is meant
    if (inputs.some(({ use, target }) => use === 'sql' && target === undefined)) return [];
    const read = new Set(inputs.flatMap(({ use, target }) => (use === 'sql' ? (target ?? []) : [])));
    return inputs.flatMap((input) => {
      const { use, kind, target } = input;
      if (use !== 'from' || (target === undefined ? kind !== 'either' : read.has(target))) return [];
      return [
        finding(structureCodes['unused-from'], atReference(definition, input), {
          message: `${named(definition)}: ${quote(input.shown)} in "from" is not used by its SQL`,
          hint: 'remove it: the inputs of SQL are taken from its macros',
        }),
      ];
    });
  };

/** A key below `runtime` that says little without another one. */
interface Pair {
  readonly has: string;
  readonly needs: string;
  /** Only values that match ask for the other key. */
  readonly when?: RegExp;
}

/** The user of the gateway has a default, passwords have none. */
const pairs: readonly Pair[] = [
  { has: 'platform.sasl_username', needs: 'platform.sasl_password' },
  { has: 'platform.sasl_password', needs: 'platform.sasl_username' },
  { has: 'platform.security_protocol', needs: 'platform.sasl_mechanism', when: /^SASL_/ },
  { has: 'schema_registry.username', needs: 'schema_registry.password' },
  { has: 'schema_registry.password', needs: 'schema_registry.username' },
  { has: 'vendor.gateway.username', needs: 'vendor.gateway.password' },
];

/** Credentials in `runtime` are complete. */
export const incompleteCredentials: Rule = ({ project }) => {
  const { runtime } = project.resolved.parsed;
  if (runtime === undefined) return [];
  return pairs.flatMap(({ has, needs, when }) => {
    const { node } = placeOf(runtime.node, has);
    if (node?.known !== true || placeOf(runtime.node, needs).node !== undefined) return [];
    if (!isDeclared(runtime.node, needs) || when?.test(String(node.value)) === false) return [];
    return [
      finding(structureCodes['incomplete-credentials'], at(runtime, has, 'key'), {
        message: `${quote(`runtime.${has}`)} requires ${quote(`runtime.${needs}`)}`,
      }),
    ];
  });
};
