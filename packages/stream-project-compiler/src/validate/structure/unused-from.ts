import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { hasSink } from './has-sink.ts';
import { structureCodes } from './structure-codes.ts';

/** What `from` lists beside SQL is read by the SQL. */
export const unusedFrom: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap(({ definition, name, sql, inputs }) => {
    if (sql === undefined || sql.parsed.diagnostics.length > 0) return [];
    // SQL beside a sink was reported, and it may be the SQL that goes
    if (hasSink(definition)) return [];
    const read = new Set(inputs.flatMap(({ use, target }) => (use === 'sql' ? (target ?? []) : [])));
    // A name in the SQL that is not defined may be the one that is meant
    if (inputs.some(({ use, target }) => use === 'sql' && target === undefined)) return [];
    return inputs.flatMap(({ use, kind, target, shown, path, range }) => {
      if (use !== 'from' || (target === undefined ? kind !== 'either' : read.has(target))) return [];
      return [
        diagnose(structureCodes['unused-from'], {
          message: `model ${quote(name)} lists ${quote(shown)} in "from", and its SQL does not read it`,
          path,
          object: definition.object,
          range: range(),
          hint: 'remove it: what the SQL reads is known from its macros',
        }),
      ];
    });
  });
