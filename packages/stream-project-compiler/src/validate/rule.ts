import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { MaterializedAs } from '../infer/materialize.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { ObjectMemory } from '../resolve/object-memory.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';

/** The input of rules. */
export interface RuleContext {
  readonly project: InferredProject;
  /** The day that dates are compared with, `2026-11-21`. Given by the caller, so that the same input always gives the same findings. */
  readonly today: string;
  /** Results of rules about single definitions, kept between calls. */
  readonly memory: ObjectMemory;
}

/**
 * One rule: what it says about a project as a whole. A rule looks at two definitions or at the graph; what can be said of one
 * field alone is a row of the format.
 *
 * A rule stays silent about what it cannot know because of an earlier mistake.
 */
export type Rule = (context: RuleContext) => readonly Diagnostic[];

/** The input of rules about single models, in addition to the model. */
export interface ModelRuleContext extends Pick<ParsedProject, 'rules' | 'runtime' | 'defaults'> {
  readonly today: string;
}

/** A model with its settings and inputs, and what it becomes: undefined where that is not known. */
export interface CheckedModel {
  readonly model: ResolvedModel;
  readonly as: MaterializedAs | undefined;
}

/** A rule about one model. */
export type ModelCheck = (checked: CheckedModel) => readonly Diagnostic[];

/** A rule about one model at a time, prepared for a project; undefined where the project does not ask for it. */
export type ModelRule = (context: ModelRuleContext) => ModelCheck | undefined;

/**
 * Runs rules over every model. They are given nothing but what `needs` lists, so a model of which they said nothing is not checked
 * again as long as all of that is the same: an edit costs one look at every other model.
 */
export function forEachModel(modelRules: readonly ModelRule[]): Rule {
  return ({ project: { resolved, materialized }, today, memory }) => {
    const { rules, runtime, defaults } = resolved.parsed;
    let checks: readonly ModelCheck[] | undefined;
    return [...resolved.models.values()].flatMap((model) => {
      const as = materialized.get(model.name);
      const needs = [as, rules, runtime, defaults, today];
      return memory.check('model-rules', { object: model, needs }, () => {
        checks ??= modelRules.flatMap((rule) => rule({ rules, runtime, defaults, today }) ?? []);
        return checks.flatMap((check) => check({ model, as }));
      });
    });
  };
}
