import { testProject } from '../../tools/vitest-project.ts';

export default testProject('example-short-job');
