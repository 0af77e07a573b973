import { testProject } from './vitest-project.ts';

export default testProject('tools');
