import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { RuleContext } from '../rule.ts';

/** The models that write a topic of their own: those that become topics or jobs. Rules of topics are about them. */
export function topicModels({ project }: RuleContext): readonly ResolvedModel[] {
  return [...project.resolved.models.values()].filter(({ name }) => {
    const kind = project.materialized.get(name)?.kind;
    return kind === 'topic' || kind === 'engine';
  });
}
