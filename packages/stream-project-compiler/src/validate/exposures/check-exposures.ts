import type { Rule } from '../rule.ts';
import { checkConsumerGroup } from './check-consumer-group.ts';
import { checkContracts } from './check-contracts.ts';
import { checkRepetition } from './check-repetition.ts';
import { checkRole } from './check-role.ts';
import { checkSchedule } from './check-schedule.ts';
import { checkSla } from './check-sla.ts';
import { checkUrl } from './check-url.ts';

/** What each exposure says. */
export const checkExposures: Rule = (context) =>
  [...context.project.resolved.exposures.values()].flatMap((exposure) => [
    ...checkRole(exposure),
    ...checkRepetition(exposure),
    ...checkSla(exposure),
    ...checkConsumerGroup(context, exposure),
    ...checkSchedule(exposure),
    ...checkUrl(exposure),
    ...checkContracts(exposure),
  ]);
