import { testProject } from '../../tools/vitest-project.ts';

export default testProject('example-file-stream-source');
