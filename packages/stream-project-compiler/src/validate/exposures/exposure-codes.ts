import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of exposures (323x). */
export const exposureCodes = {
  'exposure-role': {
    code: 'LV3230',
    title: 'Role that contradicts the lists',
    severity: 'warning',
    doc: 'A `producer` lists its outputs in `produces`, a `consumer` its inputs in `consumes`, and the role `both` has both lists. This exposure has a list that does not fit its role, or is missing one. Lineage follows the lists.',
  },
  'exposure-unconnected': {
    code: 'LV3231',
    title: 'Exposure without inputs and outputs',
    severity: 'warning',
    doc: 'The exposure has neither inputs nor outputs, so it is not part of the lineage, and a change of a model does not show that it is affected. Add `consumes`, `produces` or both.',
  },
  'sla-contradiction': {
    code: 'LV3232',
    title: 'Contradictory limits',
    severity: 'warning',
    doc: 'The end-to-end latency includes the produce latency, so its limit cannot be smaller.',
  },
  'sla-without-effect': {
    code: 'LV3233',
    title: 'Limit without effect',
    severity: 'warning',
    doc: 'Lag applies to consumers and produce latency to producers. The exposure has no inputs, or no outputs. Remove the limit, or complete the list.',
  },
  'consumer-group-without-topic': {
    code: 'LV3234',
    title: 'Consumer group without a topic',
    severity: 'warning',
    doc: 'A consumer group reads topics. The exposure consumes nothing, or only sinks, which write to other systems and have no topic. Remove `consumer_group`, or consume the model that the sink reads.',
  },
  'schedule-never': {
    code: 'LV3235',
    title: 'Schedule that never runs',
    severity: 'warning',
    doc: 'A field of the cron expression is out of range, or no month has such a day. Fields are minute (0 to 59), hour (0 to 23), day (1 to 31), month (1 to 12 or JAN to DEC) and day of the week (0 to 7 or SUN to SAT); with six or seven of them the first one is the second, and the seventh the year.',
  },
} as const satisfies CodeTable;
