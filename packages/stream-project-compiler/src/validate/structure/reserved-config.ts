import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { sinkConfigs } from './sink-config.ts';
import { structureCodes } from './structure-codes.ts';

/** Keys of a connector that the model says, and what says them. */
const reserved: ReadonlyMap<string, string> = new Map([
  ['name', 'the "name" of the model'],
  ['connector.class', '"sink.connector"'],
  ['topics', '"from"'],
  ['topics.regex', '"from"'],
]);

/** No configuration of a sink says what the model says. */
export const reservedConfig: Rule = (context) =>
  sinkConfigs(context).flatMap(({ model: { definition, name }, path, entries }) =>
    [...entries.values()].flatMap(({ key, keySpan }) => {
      const says = reserved.get(key);
      if (says === undefined) return [];
      return [
        diagnose(structureCodes['reserved-config'], {
          message: `the configuration of sink ${quote(name)} sets ${quote(key)}, which comes from ${says}`,
          path: `${path}.${key}`,
          object: definition.object,
          range: rangeAt(definition.file, keySpan),
          hint: `remove it, and say it with ${says}`,
        }),
      ];
    }),
  );
