import process from 'node:process';
import { runDemo } from './demo.ts';

process.exit(await runDemo({ levada: 'npx levada', demo: 'npm start' }));
