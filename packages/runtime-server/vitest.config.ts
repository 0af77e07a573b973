import { testProject } from '../../tools/vitest-project.ts';

export default testProject('runtime-server');
