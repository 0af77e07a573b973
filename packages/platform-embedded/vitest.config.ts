import { defineProject } from 'vitest/config';

// Each test waits for a disk that others use too; on a quiet one none takes a second.
export default defineProject({ test: { name: 'platform-embedded', testTimeout: 30_000 } });
