import { placeOf } from '../parse/node-place.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { type ConfigTexts, configTexts } from './config-text.ts';

/** What `sink`, or `advanced.sink`, of a model says. */
export function sinkOf({ definition }: ResolvedModel): {
  /** A word such as `jdbc-sink`, or a class; undefined when it is missing or wrong. */
  readonly connector: string | undefined;
  readonly config: ConfigTexts;
} {
  const sink = placeOf(definition.node, 'sink').node ?? placeOf(definition.node, 'advanced.sink').node;
  const connector = sink === undefined ? undefined : placeOf(sink, 'connector').node;
  const config = sink === undefined ? undefined : placeOf(sink, 'config').node;
  return {
    connector: connector?.known === true ? String(connector.value) : undefined,
    config: configTexts(config, definition.file),
  };
}
