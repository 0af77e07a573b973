import { placeOf } from '../../parse/node-place.ts';
import type { EntryNode } from '../../parse/typed-node.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { RuleContext } from '../rule.ts';

/** A model that is a sink, with what its connector is told. */
export interface SinkConfig {
  readonly model: ResolvedModel;
  /** Keys from the top of the file. */
  readonly path: string;
  readonly entries: ReadonlyMap<string, EntryNode>;
}

/** The sinks of a project that have a configuration. */
export function sinkConfigs({ project }: RuleContext): readonly SinkConfig[] {
  return [...project.resolved.models.values()].flatMap((model) => {
    if (project.materialized.get(model.name)?.kind !== 'sink') return [];
    return ['sink.config', 'advanced.sink.config'].flatMap((path) => {
      const { node } = placeOf(model.definition.node, path.split('.'));
      if (node?.kind !== 'object') return [];
      return [{ model, path: `${model.definition.path}.${path}`, entries: node.entries }];
    });
  });
}
