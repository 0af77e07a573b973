import type { DescMessage } from '@bufbuild/protobuf';
import { ConversionError } from '../wire/conversion-error.ts';
import { pathTo } from '../wire/path-to.ts';
import { REFUSED } from '../wire/reader.ts';
import { cutValues } from './cut-values.ts';
import { buildCheckTables, type CheckRules } from './tables.ts';
import { createWalk, walkMessage } from './walk.ts';

/** Result of a check. */
export interface CheckedMessage {
  /** Counted messages inside the message. */
  readonly items: number;
  /** Maximum size of the message as JSON without defaults. */
  readonly jsonBytes: number;
  /** Messages that were emptied because they are nested too deep. */
  readonly cut: number;
  /** The message to convert: the same bytes, or a copy if any message was emptied. */
  readonly wire: Uint8Array;
}

/** How strings are checked. */
export interface CheckOptions {
  /** Whether a string that is not UTF-8 makes the message invalid. */
  readonly strictUtf8: boolean;
}

/** Checks a message. Throws a ConversionError if it is invalid. */
export type WireCheck = (wire: Uint8Array, options: CheckOptions) => CheckedMessage;

/**
 * Creates checks for the message types of the rules. A check walks over the bytes of a message and creates no objects. It checks
 * fields and lengths against the schema, UTF-8, lengths of ids, and nesting of groups. Fields with the wrong wire type and
 * unknown fields are skipped. A message that passes can be converted to JSON. A check takes linear time at any nesting. Creation
 * takes time and memory; reuse the checks. Throws a RangeError for a schema with maps or groups.
 */
export function createWireChecks(rules: CheckRules): (message: DescMessage) => WireCheck {
  const tables = buildCheckTables(rules);
  const walk = createWalk(tables, rules);
  const checkAt =
    (message: DescMessage, root: number): WireCheck =>
    (wire, { strictUtf8 }) => {
      walk.strictUtf8 = strictUtf8;
      try {
        const jsonBytes = walkMessage(walk, root, wire);
        const { items, tooDeep } = walk;
        return { items, jsonBytes, cut: tooDeep, wire: tooDeep === 0 ? wire : cutValues(walk, root, wire) };
      } catch (thrown) {
        if (thrown !== REFUSED) throw thrown;
        const path = pathTo({ desc: message, bytes: wire }, walk.at);
        throw new ConversionError({ messageType: message.typeName, path, reason: walk.reason });
      }
    };
  return (message) => checkAt(message, tables.starts.get(message) as number);
}
