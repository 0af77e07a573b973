import type { ParsedSql } from '@levada/stream-sql';
import { type TextNode, textAt } from '../../../parse/known-value.ts';
import { parseLeafSql } from '../../../resolve/model-sql.ts';
import { type ValuePlaces, valuePlaces } from '../../../resolve/place-in-file.ts';
import type { PlacedAssertion } from '../assertions/placed-assertion.ts';

/** The query of a `custom_sql`, read. */
export interface CustomSql extends ValuePlaces {
  readonly leaf: TextNode;
  /** With its variables replaced. */
  readonly text: string;
  /** `{{ model }}`, the model or source under test, is a table of which {@link isModelUnderTest} holds. */
  readonly parsed: ParsedSql;
}

/** Reads the query of an assertion; undefined where there is none. */
export function readCustomSql({ test, node }: PlacedAssertion): CustomSql | undefined {
  const leaf = textAt(node, 'sql');
  if (leaf === undefined) return undefined;
  const places = valuePlaces(test.definition, leaf);
  const parsed = parseLeafSql(withTableName(leaf.value), leaf, places.rangeOf);
  return { leaf, text: leaf.value, parsed, ...places };
}

/** Strings, quoted names and comments, or the macro. Each can end in one way only, so the search takes linear time. */
const pieces = /'[^']*(?:'|$)|`[^`]*(?:`|$)|--[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|(\{\{\s*model\s*\}\})/g;

const name = '{model}';

/** The macro as a quoted name of the same length, so that every place stays what it is. */
function withTableName(text: string): string {
  return text.replaceAll(pieces, (piece: string, macro: string | undefined) =>
    macro === undefined ? piece : `\`${name.padEnd(macro.length - 2)}\``,
  );
}

/** Whether a table is the one that `{{ model }}` stands for. */
export function isModelUnderTest(table: string): boolean {
  return table.trimEnd() === name;
}
