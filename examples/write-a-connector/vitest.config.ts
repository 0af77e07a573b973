import { defineProject } from 'vitest/config';

export default defineProject({ test: { name: 'example-file-stream-source' } });
