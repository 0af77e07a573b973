import { testProject } from '../../tools/vitest-project.ts';

export default testProject('example-fastify-to-sqlite');
