import { matchesFormat, textFormats } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** A text in `from` that is neither a model nor a source can be the name of a topic. */
export const topicName: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap(({ definition, name, inputs }) =>
    inputs.flatMap((input) => {
      const isTopic = input.kind === 'either' && input.target === undefined;
      if (!isTopic || matchesFormat('topic', input.name)) return [];
      return [
        diagnose(structureCodes['topic-name'], {
          message: `model ${quote(name)} reads ${quote(input.shown)}, which is neither a model nor a source and cannot be a topic, expected ${textFormats.topic.expected}`,
          path: input.path,
          object: definition.object,
          range: input.range(),
        }),
      ];
    }),
  );
