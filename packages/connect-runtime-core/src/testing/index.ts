// For authors of connectors and hosts: what they test with.
export type { LogFaults } from './log-faults.ts';
export type { ManualClock } from './manual-clock.ts';
export { createManualClock } from './manual-clock.ts';
export type { RecordedLine, RecordingLogger } from './recording-logger.ts';
export { createRecordingLogger } from './recording-logger.ts';
export type { ScriptedConnector } from './scripted-connector.ts';
export { createScriptedConnector } from './scripted-connector.ts';
export type { ScriptedLog, ScriptedLogOptions } from './scripted-log.ts';
export { createScriptedLog } from './scripted-log.ts';
export type { ScriptedPeer } from './scripted-peer.ts';
export type { StoredRecord } from './scripted-topics.ts';
export type { ContractPeer, ContractTestRunner, SourceTaskHarness } from './source-task-contract.ts';
export { describeSourceTask } from './source-task-contract.ts';
export type { TaskUnderTest, TaskUnderTestOptions } from './task-under-test.ts';
export { taskUnderTest } from './task-under-test.ts';
export type { WaitForOptions } from './wait-for.ts';
export { waitFor } from './wait-for.ts';
