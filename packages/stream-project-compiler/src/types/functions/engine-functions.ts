import { aggregateFunctions } from './aggregate-functions.ts';
import { collectionFunctions } from './collection-functions.ts';
import { conditionFunctions } from './condition-functions.ts';
import type { FunctionRow } from './function-row.ts';
import { jsonFunctions } from './json-functions.ts';
import { numberFunctions } from './number-functions.ts';
import { digestFunctions, textFunctions } from './text-functions.ts';
import { timeFunctions, windowFunctions } from './time-functions.ts';

/** Functions of the engine whose arguments and results are known, up to version 2.2; in upper case. */
const ENGINE_FUNCTIONS: ReadonlyMap<string, FunctionRow> = new Map(
  [
    aggregateFunctions,
    collectionFunctions,
    conditionFunctions,
    digestFunctions,
    jsonFunctions,
    numberFunctions,
    textFunctions,
    timeFunctions,
    windowFunctions,
  ].flatMap((table) => Object.entries(table)),
);

/** The row of a function of the engine; `name` in upper case. */
export function engineFunction(name: string): FunctionRow | undefined {
  return ENGINE_FUNCTIONS.get(name);
}

/** The names of all of them, in upper case. */
export const engineFunctionNames: readonly string[] = [...ENGINE_FUNCTIONS.keys()].sort();
