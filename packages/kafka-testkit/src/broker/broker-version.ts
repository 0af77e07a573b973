/** What a broker of one version is made of beside `kafka_2.13` and `kafka-tools` of that version. */
interface BrokerVersionRow {
  /** Maven coordinates of the logging library that the version's classes bind to. */
  readonly logging: readonly string[];
  /** JVM flag that names the logging configuration. */
  readonly loggingFlag: string;
  readonly loggingConfig: string;
}

const log4j2 = (name: string): string => `org.apache.logging.log4j:${name}:2.24.3`;

/** The versions that tests and benchmarks run against: the oldest and the newest that are supported. */
export const brokerVersions = {
  '3.9.1': {
    logging: ['org.slf4j:slf4j-reload4j:1.7.36'],
    loggingFlag: 'log4j.configuration',
    loggingConfig: [
      'log4j.rootLogger=WARN, out',
      'log4j.appender.out=org.apache.log4j.ConsoleAppender',
      'log4j.appender.out.layout=org.apache.log4j.PatternLayout',
      'log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n',
      'log4j.logger.kafka.server.KafkaRaftServer=INFO',
      'log4j.logger.org.apache.kafka.connect.runtime.Connect=INFO',
    ].join('\n'),
  },
  '4.3.1': {
    logging: [log4j2('log4j-slf4j-impl'), log4j2('log4j-core'), log4j2('log4j-1.2-api')],
    loggingFlag: 'log4j2.configurationFile',
    loggingConfig: [
      'appender.out.type=Console',
      'appender.out.name=out',
      'appender.out.layout.type=PatternLayout',
      'appender.out.layout.pattern=%d %p %m (%c)%n',
      'rootLogger.level=warn',
      'rootLogger.appenderRef.out.ref=out',
      'logger.server.name=kafka.server.KafkaRaftServer',
      'logger.server.level=info',
      'logger.connect.name=org.apache.kafka.connect.runtime',
      'logger.connect.level=info',
    ].join('\n'),
  },
} as const satisfies Record<string, BrokerVersionRow>;

/** A Kafka version of {@link brokerVersions}. */
export type BrokerVersion = keyof typeof brokerVersions;

/** What tests and benchmarks run against that name no version. */
export const defaultBrokerVersion: BrokerVersion = '3.9.1';
