export type { BuiltProgram } from './build-folder.ts';
export { buildFolder, builtFolder } from './build-folder.ts';
export { describeProgram } from './describe-program.ts';
export { goBuild } from './go-build.ts';
export { javaBuild } from './java-build.ts';
export type { Promtool, PromtoolRun } from './promtool.ts';
export { promtool } from './promtool.ts';
export { pythonBuild } from './python-build.ts';
export { runProgram } from './run-program.ts';
