export { clientKeyRows as kafkaClientKeys } from './client/client-keys.ts';
export { ignoredKeys, kafkaConfigIssues } from './client/worker-clients.ts';
export type { KafkaPlatformOptions } from './kafka-platform.ts';
export { openKafkaPlatform } from './kafka-platform.ts';
export { kafkaEvents } from './model/kafka-events.ts';
