import type { Materialization } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { hasSink } from './has-sink.ts';
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
export const noEffect: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap((model) => {
    const as = project.materialized.get(model.name);
    const { definition, name } = model;
    if (as === undefined || (as.kind === 'sink' && !hasSink(definition))) return [];
    return withoutEffect[rowOf(model, as.kind)].flatMap((path) => {
      const { node, keySpan, span } = placeOf(definition.node, path.split('.'));
      // An object without any key counts as absent
      if (node === undefined || (node.kind === 'object' && node.entries.size === 0)) return [];
      return [
        diagnose(structureCodes['no-effect'], {
          message: `"${path}" has no effect: model ${quote(name)} is ${words[as.kind]}, because ${as.reason}`,
          path: `${definition.path}.${path}`,
          object: definition.object,
          range: rangeAt(definition.file, keySpan ?? span),
          hint: 'remove it',
        }),
      ];
    });
  });

function rowOf({ definition }: ResolvedModel, kind: Materialization): Materialization | 'plain-topic' {
  return kind === 'topic' && !definition.node.entries.has('sql') ? 'plain-topic' : kind;
}
