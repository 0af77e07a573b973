import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { placeOf } from '../../parse/node-place.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';

/** A second. Who keeps state for less most likely thought of seconds. */
const SHORTEST_MS = 1000;

/** State is kept for a second at least. */
export const stateTtl: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap(({ definition, name }) => {
    const path = 'advanced.engine.state_ttl_ms';
    const { node, span } = placeOf(definition.node, path.split('.'));
    if (node?.known !== true || typeof node.value !== 'number' || node.value >= SHORTEST_MS) return [];
    return [
      diagnose('state-ttl-short', {
        message: `model ${quote(name)} keeps state for ${shownText(node, String(node.value))} ms, expected at least ${SHORTEST_MS}`,
        path: `${definition.path}.${path}`,
        object: definition.object,
        range: rangeAt(definition.file, span),
        hint: 'the unit is milliseconds: 86400000 is a day',
      }),
    ];
  });
