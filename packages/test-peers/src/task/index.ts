export type { RunningTask } from './running-task.ts';
export { drain, startedTask, texts } from './running-task.ts';
