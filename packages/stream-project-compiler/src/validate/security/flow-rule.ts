import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type ClassificationFlow, classificationFlow } from '../../lineage/classification-flow.ts';
import type { Rule, RuleContext } from '../rule.ts';

/** What rules about classifications look at. */
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
