import { testProject } from '../../tools/vitest-project.ts';

export default testProject('connect-worker');
