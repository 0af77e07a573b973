import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { nameRange } from '../../resolve/project-symbols.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** The name of the job of a continuous test. The job of a model has the name of the model. */
function testJobName(test: string): string {
  return `test_${test}`;
}

/** No job of a test has the name of a model's job. */
export const jobCollision: Rule = ({ project }) => {
  const { models, tests } = project.resolved;
  return [...tests.values()].flatMap(({ name, definition }) => {
    const model = models.get(testJobName(name));
    if (model?.sql === undefined || definition.node.entries.get('type')?.node.value !== 'continuous')
      return [];
    return [
      diagnose(structureCodes['job-collision'], {
        message: `the job of the continuous test ${quote(name)} is called ${quote(model.name)}, as the job of model ${quote(model.name)} is`,
        path: `${definition.path}.name`,
        object: definition.object,
        range: nameRange(definition),
        related: [{ message: 'the model', range: nameRange(model.definition) }],
        hint: 'rename one of them',
      }),
    ];
  });
};
