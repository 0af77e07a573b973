import { testProject } from '../../tools/vitest-project.ts';

export default testProject('example-embed-in-service');
