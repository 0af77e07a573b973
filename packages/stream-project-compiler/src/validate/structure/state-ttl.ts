import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { numberAt } from '../../parse/known-value.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { shown } from '../shown-value.ts';
import { structureCodes } from './structure-codes.ts';

/** A second. Who keeps state for less most likely thought of seconds. */
const SHORTEST_MS = 1000;

/** State is kept for a second at least. */
export const stateTtl: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap(({ definition, name }) => {
    const path = 'advanced.engine.state_ttl_ms';
    const node = numberAt(definition.node, path);
    if (node === undefined || node.value >= SHORTEST_MS) return [];
    return [
      diagnose(structureCodes['state-ttl-short'], {
        message: `model ${quote(name)} keeps state for ${shown(node)} ms, expected at least ${SHORTEST_MS}`,
        path: `${definition.path}.${path}`,
        object: definition.object,
        range: rangeAt(definition.file, node.span),
        hint: 'the unit is milliseconds: 86400000 is a day',
      }),
    ];
  });
