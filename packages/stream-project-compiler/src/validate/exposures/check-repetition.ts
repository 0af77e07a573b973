import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { wordsOf } from '../finding-at.ts';
import { assertionCodes } from '../tests/assertions/assertion-codes.ts';

/** Reports what an exposure lists twice. */
export function checkRepetition({ definition, consumes, produces }: ResolvedExposure): readonly Diagnostic[] {
  const report = (list: readonly Reference[]) => {
    const seen = new Map<string, Reference>();
    return list.flatMap((reference) => {
      const key = `${reference.kind} ${reference.name}`;
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, reference);
        return [];
      }
      return [
        diagnose(assertionCodes['repeated-entry'], {
          message: `"${reference.use}" of ${wordsOf(definition)} lists ${quote(reference.shown)} twice`,
          path: reference.path,
          object: definition.object,
          range: reference.range(),
          related: [{ message: 'the first one', range: first.range() }],
        }),
      ];
    });
  };
  return [...report(consumes), ...report(produces)];
}
