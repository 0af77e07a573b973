import { describeProgram } from '@levada/test-peers/programs';
import { describeDeliveringSender } from './delivering-sender.ts';
import { pythonProgram, pythonUnavailable } from './python-program.ts';
import { describeSecuredSender } from './secured-sender.ts';

// Not every Python that is there has wheels of all packages.
const python = { unavailable: pythonUnavailable, make: pythonProgram, optional: true };

describeProgram('exporters in Python', python, (program) => {
  describeDeliveringSender(program);
  describeSecuredSender(program);
});
