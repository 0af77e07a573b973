import { nearestWord } from '../sql/parse/nearest-word.ts';
import type { Call } from '../sql/tree/call.ts';
import { engineFunctionNames } from './functions/engine-functions.ts';
import { foreignFunctions } from './functions/foreign-functions.ts';
import type { TypeWalk } from './type-walk.ts';

/** Names shorter than this are one letter away from too many others. */
const MIN_MISSPELT = 5;

/** Reports a function that the engine does not have, if it is known what is meant. Other names may be functions of users. */
export function reportUnknownFunction({ name, start, end }: Call, walk: TypeWalk): void {
  const [only, ...more] = name;
  if (only === undefined || more.length > 0 || only.quoted) return;
  if (walk.shown !== undefined && walk.shown(only) !== only.name) return;
  const hint = hintFor(only.name.toUpperCase());
  if (hint === undefined) return;
  const message = `function ${only.name}, which the engine does not have`;
  walk.report?.({ name: 'unknown-function', message, hint, start, end });
}

function hintFor(name: string): string | undefined {
  const foreign = foreignFunctions.get(name);
  if (foreign !== undefined) return foreign;
  const meant = name.length < MIN_MISSPELT ? undefined : nearestWord(name, engineFunctionNames);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}
