import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Definition } from '../../parse/definition.ts';
import { objectAt, textAt } from '../../parse/known-value.ts';
import { findingAt, rangeBelow, wordsOf } from '../finding-at.ts';
import { declarationCodes } from './declaration-codes.ts';

/** Reports a schema that is given twice, and one that is not written in JSON though its format is. */
export function checkSchema(source: Definition<'source'>): readonly Diagnostic[] {
  const schema = objectAt(source.node, 'schema');
  const definition = schema === undefined ? undefined : textAt(schema, 'definition');
  if (schema === undefined || definition === undefined || definition.value === '') return [];
  const found: Diagnostic[] = [];
  if (textAt(schema, 'registry') !== undefined) {
    const message = `the schema of ${wordsOf(source)} is given twice, by "registry" and by "definition"`;
    const related = [{ message: 'the registry', range: rangeBelow(source, ['schema', 'registry'], 'key') }];
    const path = ['schema', 'definition'];
    found.push(findingAt(declarationCodes['schema-twice'], source, { path, mark: 'key', message, related }));
  }
  const format = textAt(schema, 'format')?.value;
  if ((format === 'avro' || format === 'json') && !isSchema(definition.value)) {
    const message = `"schema.definition" of ${wordsOf(source)} is no JSON, which schemas of the format "${format}" are written in`;
    const hint = /^\s*(?:syntax\s*=|message\s|package\s)/.test(definition.value)
      ? 'write "format: protobuf"'
      : undefined;
    found.push(
      findingAt(declarationCodes['schema-definition'], source, {
        path: ['schema', 'definition'],
        mark: 'key',
        message,
        hint,
      }),
    );
  }
  return found;
}

function isSchema(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The message of the parser shows a part of the text, which may come from a variable
    return false;
  }
}
