import { testProject } from '../../tools/vitest-project.ts';

export default testProject('http2-server');
