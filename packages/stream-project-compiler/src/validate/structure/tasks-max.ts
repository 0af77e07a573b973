import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { sinkConfigs } from './sink-config.ts';
import { structureCodes } from './structure-codes.ts';

/** The largest number that the connector runtime reads: it is an int of 32 bits. */
const MAX_TASKS = 2_147_483_647;

/** `tasks.max` of a sink is a number of tasks. */
export const tasksMax: Rule = (context) =>
  sinkConfigs(context).flatMap(({ model: { definition, name }, path, entries }) => {
    const entry = entries.get('tasks.max');
    if (entry === undefined || isNumberOfTasks(entry.node.value) || !entry.node.known) return [];
    const { node, keySpan } = entry;
    const what =
      node.kind === 'leaf'
        ? quote(shownText(node, String(node.value)))
        : `a${node.kind === 'list' ? ' list' : 'n object'}`;
    return [
      diagnose(structureCodes['tasks-max'], {
        message: `"tasks.max" of sink ${quote(name)} is ${what}, expected a whole number of at least 1`,
        path: `${path}.tasks.max`,
        object: definition.object,
        range: rangeAt(definition.file, node.kind === 'leaf' ? node.span : keySpan),
      }),
    ];
  });

function isNumberOfTasks(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const text = String(value).trim();
  return /^\+?\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_TASKS;
}
