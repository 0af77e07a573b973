export type { AddedCommand } from './main.ts';
export { run } from './main.ts';
