import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { hasSink } from './has-sink.ts';
import { structureCodes } from './structure-codes.ts';

/** No model reads a sink: what a sink writes is outside of the platform. Exposures and tests may name one. */
export const sinkRead: Rule = ({ project }) => {
  const { models } = project.resolved;
  const sinks = new Map(
    [...models.values()].flatMap((model) => {
      const as = project.materialized.get(model.name);
      return as?.kind === 'sink' && hasSink(model.definition) ? [[model.id, { model, as }] as const] : [];
    }),
  );
  return [...models.values()].flatMap(({ id, definition, name, inputs }) =>
    inputs.flatMap(({ target, shown, path, range }) => {
      const sink = target === undefined || target === id ? undefined : sinks.get(target);
      if (sink === undefined) return [];
      return [
        diagnose(structureCodes['sink-read'], {
          message: `model ${quote(name)} reads model ${quote(shown)}, which is a sink and writes no topic`,
          path,
          object: definition.object,
          range: range(),
          related: [{ message: `it is a sink, because ${sink.as.reason}`, range: sink.as.range }],
          hint: 'read what the sink reads',
        }),
      ];
    }),
  );
};
