import { formatPath } from '@levada/stream-project-schema';
import { interpolate } from './interpolate.ts';
import { type Place, pathOf, type ReadContext } from './read-context.ts';
import type { YamlNode } from './yaml-tree.ts';

/** Notes every variable without a value in what is not read, because its key is unknown or it is of another kind. */
export function noteVariables(context: ReadContext, yaml: YamlNode, place: Place): void {
  if (yaml.kind === 'map') {
    for (const { value } of yaml.entries) noteVariables(context, value, place);
  } else if (yaml.kind === 'list') {
    for (const item of yaml.items) noteVariables(context, item, place);
  } else if (typeof yaml.value === 'string') {
    for (const name of interpolate(yaml.value, context.variables)?.missing ?? []) {
      context.missing.push({ name, span: yaml.span, path: formatPath(pathOf(place)) });
    }
  }
}
