import type { DescMessage } from '@bufbuild/protobuf';
import { ConversionError } from '../wire/conversion-error.ts';
import { pathTo } from '../wire/path-to.ts';
import { REFUSED } from '../wire/reader.ts';
import { cutValues } from './cut-values.ts';
import { buildCheckTables, type CheckRules } from './tables.ts';
import { createWalk, walkMessage } from './walk.ts';

/** What a check of a message finds. */
export interface CheckedMessage {
  /** Messages inside it that are counted. */
  readonly items: number;
  /** Most bytes that the message has as JSON without defaults. */
  readonly jsonBytes: number;
  /** Messages that were left empty because they are nested too deep. */
  readonly cut: number;
  /** The message as it may be converted: the same bytes, or a copy if anything was left empty. */
  readonly wire: Uint8Array;
}

/** How strings are looked at. */
export interface CheckOptions {
  /** Whether a string that is not UTF-8 makes the message invalid. */
  readonly strictUtf8: boolean;
}

/** Checks a message. Throws a ConversionError. */
export type WireCheck = (wire: Uint8Array, options: CheckOptions) => CheckedMessage;

/**
 * Makes checks of messages of the types of the rules. A check walks over the bytes of a message without making anything of them: fields and lengths by the schema, UTF-8,
 * lengths of ids, nesting of groups. A field that comes with another wire type than the schema's is unknown, and unknown fields
 * are passed over. What passes can be converted to JSON. Takes time in proportion to the message, however it is nested. Making
 * them takes time and memory; keep them. Throws a RangeError for a schema with maps or groups.
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
