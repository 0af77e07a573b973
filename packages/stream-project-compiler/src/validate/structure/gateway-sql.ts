import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { virtualTopicLoss } from '../../infer/virtual-topic-loss.ts';
import { hasGateway } from '../../resolve/runtime-gateway.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** Nothing in the SQL of a virtual topic is lost. Where there is no gateway, that was reported, and its hint names what would be lost. */
export const gatewaySql: Rule = ({ project }) => {
  if (hasGateway(project.resolved.parsed) === false) return [];
  return [...project.resolved.models.values()].flatMap(({ definition, name, sql }) => {
    if (project.materialized.get(name)?.kind !== 'virtual_topic' || sql === undefined) return [];
    const loss = virtualTopicLoss(sql);
    if (loss === undefined) return [];
    return [
      diagnose(structureCodes['gateway-sql'], {
        message: `model ${quote(name)} is a virtual topic, and its SQL has ${loss.what}, which a compiled virtual topic does not carry, expected "SELECT *" from one source or model`,
        path: `${definition.path}.sql`,
        object: definition.object,
        range: sql.rangeOf(loss.span),
        hint: 'remove "advanced.gateway" to make the model a topic or a job of the engine, or move the SQL to a model before this one',
      }),
    ];
  });
};
