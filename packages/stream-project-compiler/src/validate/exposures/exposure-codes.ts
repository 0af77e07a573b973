import type { CodeTable } from '../../diagnostics/diagnostic.ts';

/** Codes of exposures (323x). */
export const exposureCodes = {
  'exposure-role': {
    code: 'LV3230',
    title: 'A role that what is listed contradicts',
    severity: 'warning',
    doc: 'A `producer` lists what it writes in `produces`, a `consumer` what it reads in `consumes`, and one that does `both` has both lists. This exposure has a list that its role does not have, or lacks one that it has. Lineage follows the lists.',
  },
  'exposure-unconnected': {
    code: 'LV3231',
    title: 'An exposure without a connection',
    severity: 'warning',
    doc: 'The exposure lists neither what it reads nor what it writes, so it is in no lineage, and nobody sees that a change of a model concerns it. Add `consumes`, `produces` or both.',
  },
  'sla-contradiction': {
    code: 'LV3232',
    title: 'Limits that contradict each other',
    severity: 'warning',
    doc: 'The time from end to end includes the time to produce, so its limit cannot be the smaller one.',
  },
  'sla-without-effect': {
    code: 'LV3233',
    title: 'A limit on something that the exposure does not do',
    severity: 'warning',
    doc: 'Lag is that of a consumer and the latency of producing is that of a producer. The exposure lists nothing that it reads, or nothing that it writes. Remove the limit, or complete the list.',
  },
  'consumer-group-without-topic': {
    code: 'LV3234',
    title: 'A consumer group without a topic',
    severity: 'warning',
    doc: 'A consumer group reads topics. What the exposure consumes has none: it consumes nothing, or only sinks, which write to other systems. Remove `consumer_group`, or name the model that the sink reads.',
  },
  'schedule-never': {
    code: 'LV3235',
    title: 'A schedule that never comes',
    severity: 'warning',
    doc: 'A field of the cron expression is out of its bounds, or no month has such a day. Fields are minute (0 to 59), hour (0 to 23), day (1 to 31), month (1 to 12 or JAN to DEC) and day of the week (0 to 7 or SUN to SAT); with six or seven of them the first one is the second, and the seventh the year.',
  },
} as const satisfies CodeTable;
