import { sinkConnectorClasses } from '@levada/stream-project-schema';
import type { InferredProject } from '../infer/infer-project.ts';
import { textAt } from '../parse/known-value.ts';
import { sinkOf } from './sink-of.ts';
import { topicNames } from './topic-names.ts';

/** A connector as the connector runtime takes it: the body of `POST /connectors`. */
export interface ConnectorFile {
  readonly body: { readonly name: string; readonly config: Readonly<Record<string, string>> };
  /** Whether the project's own files hold a secret of it, which is then in here too. */
  readonly secret: boolean;
}

/**
 * The connectors of a project. The class of a word of `sink.connector` is what the caller says (`given`), else what
 * `runtime.connect.connector_classes` says, else that of the built-in table; any other text is a class itself. What the compiler
 * says (`name`, `connector.class`, `topics`) wins over `sink.config`.
 */
export function connectorFiles(
  project: InferredProject,
  given: Readonly<Record<string, string>>,
): readonly ConnectorFile[] {
  const names = topicNames(project);
  const classes = classesOf(project, given);
  return [...project.resolved.models.values()].flatMap((model) => {
    if (project.materialized.get(model.name)?.kind !== 'sink') return [];
    const { connector, config } = sinkOf(model);
    if (connector === undefined) return [];
    const texts = new Map([
      ...config.texts,
      ['name', model.name],
      ['connector.class', classes.get(connector) ?? connector],
      ['topics', names.readBy(model).join(',')],
    ]);
    const sorted = [...texts].sort(([one], [other]) => (one < other ? -1 : 1));
    const body = { name: model.name, config: Object.fromEntries(sorted) };
    return [{ body, secret: config.secretKeys.size > 0 }];
  });
}

/** Class by word. */
function classesOf(
  { resolved }: InferredProject,
  given: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const { runtime } = resolved.parsed;
  const words = Object.entries(sinkConnectorClasses).map(([word, { className }]): [string, string] => {
    const path = ['connect', 'connector_classes', word];
    const own = runtime === undefined ? undefined : textAt(runtime.node, path);
    return [word, own?.value ?? className];
  });
  return new Map([...words, ...Object.entries(given)]);
}
