import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type ClassificationFlow, classificationFlow } from '../../lineage/classification-flow.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { Rule, RuleContext } from '../rule.ts';

/** The input of rules about classifications. */
export interface FlowContext extends RuleContext {
  readonly flow: ClassificationFlow;
}

/** A rule that needs to know how sensitive columns are. */
export type FlowRule = (context: FlowContext) => readonly Diagnostic[];

/** Runs such rules with classifications that are computed once. */
export function withFlow(rules: readonly FlowRule[]): Rule {
  return (context) => {
    const flow = classificationFlow(context.project, context.memory);
    return rules.flatMap((rule) => rule({ ...context, flow }));
  };
}

/** A model, and what such rules look at beside its columns and their classes. */
interface FlowModel {
  readonly model: ResolvedModel;
  readonly isSink: boolean;
  /** Whether a model or an exposure reads it. */
  readonly isRead: boolean;
}

/** A rule about the classes of the columns of one model; undefined where the project does not ask for it. */
export type FlowModelRule = (
  context: FlowContext,
) => ((model: FlowModel) => readonly Diagnostic[]) | undefined;

/**
 * Runs such rules over every model. They look at the model, its columns, their classes, the columns of what it reads, and the
 * section `rules`: where all of that is the same and nothing was found, they are not run again.
 */
export function forEachFlowModel(rules: readonly FlowModelRule[]): FlowRule {
  return (context) => {
    const { resolved, materialized } = context.project;
    const checks = rules.flatMap((rule) => rule(context) ?? []);
    const read = new Set<NodeId>(resolved.edges.map(({ from }) => from));
    return [...resolved.models.values()].flatMap((model) => {
      const isSink = materialized.get(model.name)?.kind === 'sink';
      const facts: FlowModel = { model, isSink, isRead: read.has(model.id) };
      const about = { object: model, needs: needsOf(context, facts) };
      return context.memory.check('flow-model', about, () => checks.flatMap((check) => check(facts)));
    });
  };
}

function needsOf(
  { project: { columns, resolved }, flow }: FlowContext,
  { model, isSink, isRead }: FlowModel,
) {
  const { id, inputs } = model;
  const needs: unknown[] = [resolved.parsed.rules, isSink, isRead, columns.get(id), flow.get(id)];
  for (const { target } of inputs) needs.push(target === undefined ? undefined : columns.get(target));
  return needs;
}
