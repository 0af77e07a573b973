// Loaded into a worker with --import. Appends the URL of each module that is loaded to the file that MODULES_FILE names.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env['MODULES_FILE'] ?? '', `${url}\n`);
    return nextLoad(url, context);
  },
});
