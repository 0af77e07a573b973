import type { DescMessage } from '@bufbuild/protobuf';
import { makePlan, type PlanOptions } from '../plan/plan.ts';
import { hasOwnForm } from '../plan/well-known-types.ts';
import { buildTables, type Tables } from './tables.ts';
import type { WireToJsonOptions } from './wire-to-json.ts';

/** The limit of most protobuf libraries. */
const DEFAULT_DEPTH = 100;
/** Takes less than half of the stack, even before the engine has compiled anything. */
const MAX_DEPTH = 250;

/** The tables of a message. Tables of messages inside `google.protobuf.Any` are created on first use. */
export function tablesOf(message: DescMessage, options: WireToJsonOptions): Tables {
  const planned: PlanOptions = {
    defaults: options.defaults ?? true,
    protoNames: options.protoNames ?? false,
    enumsAsIntegers: options.enumsAsIntegers ?? false,
    safeIntegersAsNumbers: options.safeIntegersAsNumbers ?? false,
    hexFields: options.hexFields ?? new Set(),
    replaceInvalidUtf8: options.invalidUtf8 === 'replace',
    registry: options.registry,
  };
  const known = new Map<string, Tables>();
  const make = (desc: DescMessage): Tables =>
    buildTables(makePlan(desc, planned), {
      defaults: planned.defaults,
      maxDepth: checkedDepth(options.maxDepth ?? DEFAULT_DEPTH),
      safeIntegers: planned.safeIntegersAsNumbers,
      replaceInvalidUtf8: planned.replaceInvalidUtf8,
      hasOwnForm: hasOwnForm(desc.typeName),
      resolve,
    });
  const resolve = (typeName: string): Tables | undefined => {
    const before = known.get(typeName);
    if (before !== undefined) return before;
    const desc = options.registry?.getMessage(typeName);
    if (desc === undefined) return undefined;
    const made = make(desc);
    known.set(typeName, made);
    return made;
  };
  return make(message);
}

function checkedDepth(depth: number): number {
  if (Number.isInteger(depth) && depth >= 1 && depth <= MAX_DEPTH) return depth;
  throw new RangeError(`maxDepth is ${depth}, expected an integer from 1 to ${MAX_DEPTH}`);
}
