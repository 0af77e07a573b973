import type { InferredProject } from '../infer/infer-project.ts';
import { sinkOf } from './sink-of.ts';
import { topicNames } from './topic-names.ts';

/** A connector as the connector runtime takes it: the body of `POST /connectors`. */
export interface ConnectorFile {
  readonly body: { readonly name: string; readonly config: Readonly<Record<string, string>> };
  /** Whether the project's own files hold a secret of it, which is then in here too. */
  readonly secret: boolean;
}

/**
 * The connectors of a project, `classes` by the word of `sink.connector`; another text is a class itself. What the compiler says
 * (`name`, `connector.class`, `topics`) wins over `sink.config`.
 */
export function connectorFiles(
  project: InferredProject,
  classes: Readonly<Record<string, string>>,
): readonly ConnectorFile[] {
  const names = topicNames(project);
  return [...project.resolved.models.values()].flatMap((model) => {
    if (project.materialized.get(model.name)?.kind !== 'sink') return [];
    const { connector, config } = sinkOf(model);
    if (connector === undefined) return [];
    const texts = new Map([
      ...config.texts,
      ['name', model.name],
      ['connector.class', Object.hasOwn(classes, connector) ? (classes[connector] ?? connector) : connector],
      ['topics', names.readBy(model).join(',')],
    ]);
    const sorted = [...texts].sort(([one], [other]) => (one < other ? -1 : 1));
    const body = { name: model.name, config: Object.fromEntries(sorted) };
    return [{ body, secret: config.secretKeys.size > 0 }];
  });
}
