export { clientKeyRows as kafkaClientKeys } from './client/client-keys.ts';
export { ignoredKeys, kafkaConfigIssues } from './client/worker-clients.ts';
export { kafkaEvents } from './kafka-events.ts';
export type { KafkaPlatformOptions } from './kafka-platform.ts';
export { openKafkaPlatform } from './kafka-platform.ts';
