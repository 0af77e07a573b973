/** Results of both sides for one case: error messages, or JSON. */
export interface Differing {
  readonly mine: string;
  readonly java: string;
  readonly line: string;
}

interface Difference {
  readonly reason: string;
  readonly holds: (differing: Differing) => boolean;
}

/** Intended differences between Kafka's classes and ours, with reasons. */
const differences: readonly Difference[] = [
  {
    reason: 'records are not written into messages, the topic says where to look',
    holds: ({ mine, java }) =>
      mine.startsWith("Timestamp missing on record: topic '") &&
      java.startsWith('Timestamp missing on record: '),
  },
  {
    reason: 'Java fails because of a null pointer where a field is missing',
    holds: ({ mine, java }) => mine.startsWith('Unknown field: ') && java.startsWith('Cannot invoke "'),
  },
  {
    reason: 'Java fails because of a null pointer where text comes and no format is set',
    holds: ({ mine, java }) =>
      mine.startsWith('TimestampConverter requires format option') && java.startsWith('Cannot invoke "'),
  },
  {
    reason: 'patterns are read by another reader, which says what is wrong in its own words',
    holds: ({ mine, java }) => mine.includes('Invalid regex: ') && java.includes('Invalid regex: '),
  },
  {
    reason:
      'Java finds a reference to a missing group at the first topic that fits, and not when it is configured',
    holds: ({ mine, line }) =>
      mine.includes('for configuration replacement: No group') && line.includes('RegexRouter'),
  },
  {
    reason: 'Java finds a wrong pattern of dates at the first record, and not when it is configured',
    holds: ({ mine, java }) =>
      mine.startsWith('Invalid value yyyy-MM-dd bb for configuration timestamp.format') &&
      (java.startsWith('Illegal pattern character') || java.startsWith('Timestamp missing')),
  },
  {
    reason: 'Java names the object that holds the field, with its address',
    holds: ({ mine, java }) =>
      mine.includes('No value specified for static field: ') && java.includes('$InsertionSpec@'),
  },
  {
    reason: 'Java mixes up the arguments of these exceptions, so that the message is where the key should be',
    holds: ({ mine, java }) =>
      java.startsWith('Invalid value java.lang.IllegalArgumentException: ') &&
      java.includes(mine.slice(0, 40)),
  },
  {
    reason: 'Java casts the fields of a map in the order of hashes, and the first that fails is named',
    holds: ({ mine, java, line }) =>
      line.includes('transforms.Cast$') && castFailure.test(mine) && castFailure.test(java),
  },
  {
    reason: 'Java masks fields in the order of hashes, and the first that fails is named',
    holds: ({ mine, java }) => maskFailure.test(mine) && maskFailure.test(java),
  },
  {
    reason: 'Java flattens the entries of a map in the order of hashes, and the first that fails is named',
    holds: ({ mine, java }) =>
      mine.startsWith('Flatten transformation was passed') &&
      java.startsWith('Flatten transformation was passed'),
  },
  {
    reason: 'dates of JavaScript end in the year 275760',
    holds: ({ mine }) => mine.includes('more than 275,000 years from now'),
  },
  {
    reason:
      'numbers of twenty digits in place of days or minutes overflow in Java, and dates of JavaScript end in 275760',
    holds: ({ line }) =>
      line.includes('transforms.TimestampConverter$') && /"(?:9{20}|20210304050607123)"/.test(line),
  },
  {
    reason:
      'renames that swap fields put values under the schemas of others, and JavaScript does not know their classes',
    holds: ({ java, line }) =>
      line.includes('transforms.ReplaceField$') && java.startsWith('Invalid Java object for schema'),
  },
];

const maskFailure = /^(?:Cannot mask value|Unable to convert .* number$)/;
const castFailure =
  /^(?:Value \(|Unexpected type in Cast|Cast transformation (?:does not support|was passed))/;

/** The reason of an intended difference; undefined for others. */
export function knownDifference(differing: Differing): string | undefined {
  return differences.find(({ holds }) => holds(differing))?.reason;
}
