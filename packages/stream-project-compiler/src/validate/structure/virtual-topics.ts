import { composedView } from '../../artifacts/virtual-topic-file.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isLoss, virtualView } from '../../infer/virtual-view.ts';
import type { Definition } from '../../parse/definition.ts';
import { placeOf } from '../../parse/node-place.ts';
import { hasGateway } from '../../resolve/runtime-gateway.ts';
import { at, atReference, atSql, finding, named } from '../finding.ts';
import type { ModelRule, Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** Nothing in the SQL of a virtual topic is lost. Where there is no gateway, that was reported, and its hint names what would be lost. */
export const gatewaySql: ModelRule = (context) => {
  if (hasGateway(context) === false) return undefined;
  return ({ model, as }) => {
    const { definition, sql } = model;
    if (as?.kind !== 'virtual_topic' || sql === undefined) return [];
    const view = virtualView(sql);
    if (isLoss(view)) {
      return [
        finding(structureCodes['gateway-sql'], atSql({ definition, sql }, view.span), {
          message: `${named(definition)} is a virtual topic, which does not support ${view.what} in its SQL, expected columns of one source or model and a condition on them`,
          hint: 'remove "advanced.gateway" to make the model a topic or a job of the engine, or move the SQL to an upstream model',
        }),
      ];
    }
    return [];
  };
};

/** No condition of a virtual topic sees what one below it masks: the gateway applies both to the physical topic. */
export const maskedCondition: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap((model) => {
    const { definition, sql } = model;
    if (sql === undefined || project.materialized.get(model.name)?.kind !== 'virtual_topic') return [];
    const column = composedView(model, project)?.maskedCondition;
    if (column === undefined) return [];
    return [
      finding(structureCodes['gateway-sql'], at(definition, 'sql', 'key'), {
        message: `${named(definition)} is a virtual topic with a condition on column ${quote(column)}, which a virtual topic below it masks: the condition would see the value`,
        hint: 'choose another column, or mask the column in the model that the virtual topics read',
      }),
    ];
  });

/** A virtual topic is a view of one topic. Several tables in its SQL are a join, which is reported there. */
export const virtualTopicInput: ModelRule =
  () =>
  ({ model: { definition, inputs }, as }) => {
    if (as?.kind !== 'virtual_topic' || definition.node.entries.has('sql')) return [];
    const [first, second] = new Map(inputs.map((input) => [input.target ?? input.name, input])).values();
    if (second !== undefined) {
      return [
        finding(structureCodes['virtual-topic-input'], atReference(definition, second), {
          message: `${named(definition)} is a virtual topic with the inputs ${quote(first?.shown ?? '')} and ${quote(second.shown)}, expected one input`,
          hint: 'write one model for each input',
        }),
      ];
    }
    if (first !== undefined || isReported(definition)) return [];
    const place = { ...at(definition, 'from'), range: as.range };
    return [
      finding(structureCodes['virtual-topic-input'], place, {
        message: `${named(definition)} is a virtual topic without an input, expected one input`,
        hint: 'set the topic in "from"',
      }),
    ];
  };

/** Names in `from` that cannot be read were reported, and so was a model that has nothing but its gateway. */
function isReported({ node }: Definition<'model'>): boolean {
  return node.entries.has('from') || placeOf(node, 'advanced.topic').node === undefined;
}
