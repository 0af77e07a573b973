import { testProject } from '../tools/vitest-project.ts';

export default testProject('docs');
