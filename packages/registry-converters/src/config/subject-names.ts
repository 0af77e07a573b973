import { conversionFailed } from '@levada/connect-runtime-core/converter';

const PACKAGE = 'io.confluent.kafka.serializers.subject';

/** Class names of the subject name strategies. */
export const strategyNames = {
  topic: `${PACKAGE}.TopicNameStrategy`,
  record: `${PACKAGE}.RecordNameStrategy`,
  topicRecord: `${PACKAGE}.TopicRecordNameStrategy`,
} as const;

/** Returns the subject of a schema. */
export type SubjectNames = (topic: string, recordName: string | undefined) => string;

/** The subject names of a strategy. Strategies with record names throw `conversion_failed` for a schema that is not a record. */
export function subjectNames(className: string, isKey: boolean): SubjectNames {
  const part = isKey ? 'key' : 'value';
  if (className === strategyNames.topic) return (topic) => `${topic}-${part}`;
  const withTopic = className === strategyNames.topicRecord;
  return (topic, recordName) => {
    if (recordName === undefined) {
      throw conversionFailed(
        `In configuration ${part}.subject.name.strategy = ${className}, the message ${part} must only be a record schema`,
      );
    }
    return withTopic ? `${topic}-${recordName}` : recordName;
  };
}
