import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * Runs rules that look at one model at a time. Such a rule looks at nothing but the model with its settings and inputs, what it
 * becomes, the sections `rules`, `runtime` and `defaults`, and the day. Models of which they said nothing are not shown to them
 * again as long as all of that is the same: with one memory for all of them an edit costs one look at every other model.
 */
export function aboutModels(rules: readonly Rule[]): Rule {
  return (context) => {
    const { memory, project } = context;
    const { models } = project.resolved;
    const open = [...models.values()].filter(
      (model) => memory.check(name, aboutOne(context, model), () => [model]).length > 0,
    );
    if (open.length === 0) return [];
    const shown = new Map(open.map((model) => [model.name, model]));
    const narrowed = { ...project, resolved: { ...project.resolved, models: shown } };
    const found = rules.flatMap((rule) => rule({ ...context, project: narrowed }));
    const findingsOf = readFindings(open, found);
    for (const model of open) memory.check(name, aboutOne(context, model), () => findingsOf(model));
    return found;
  };
}

const name = 'about-models';

function aboutOne({ project, today }: RuleContext, model: ResolvedModel) {
  const { rules, runtime, defaults } = project.resolved.parsed;
  return { object: model, needs: [project.materialized.get(model.name), rules, runtime, defaults, today] };
}

/** What was found about a model. What is about none of them, such as a rule that cannot be used, counts for all. */
function readFindings(
  models: readonly ResolvedModel[],
  found: readonly Diagnostic[],
): (model: ResolvedModel) => readonly Diagnostic[] {
  const objects = new Set(models.map(({ definition }) => definition.object));
  const isForAll = ({ object }: Diagnostic) => object === undefined || !objects.has(object);
  if (found.some(isForAll)) return () => found;
  const byObject = Map.groupBy(found, ({ object }) => object);
  return ({ definition }) => byObject.get(definition.object) ?? [];
}
