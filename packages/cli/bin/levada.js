#!/usr/bin/env -S node --disable-proto=delete --disallow-code-generation-from-strings --max-semi-space-size=8
import { run } from '../dist/main.js';

process.exitCode = await run(process.argv.slice(2));
