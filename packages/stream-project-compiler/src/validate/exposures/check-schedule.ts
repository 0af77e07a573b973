import { formatPath, parsePath } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { textAt } from '../../parse/known-value.ts';
import { isReplaced, valuePlaces } from '../../resolve/place-in-file.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { wordsOf } from '../finding-at.ts';
import { cronProblem } from './cron.ts';
import { exposureCodes } from './exposure-codes.ts';

/** Reports a schedule of the right form that never comes. */
export function checkSchedule({ definition }: ResolvedExposure): readonly Diagnostic[] {
  const schedule = textAt(definition.node, 'schedule');
  const problem = schedule === undefined ? undefined : cronProblem(schedule.value);
  if (schedule === undefined || problem === undefined) return [];
  const what = isReplaced(schedule)
    ? 'a field is out of its bounds after variables were replaced'
    : problem.message;
  return [
    diagnose(exposureCodes['schedule-never'], {
      message: `"schedule" of ${wordsOf(definition)} never comes: ${what}`,
      path: formatPath([...parsePath(definition.path), 'schedule']),
      object: definition.object,
      range: valuePlaces(definition, schedule).rangeOf(problem),
    }),
  ];
}
