import { describeHostileProcesses, describeHostileProjects } from './hostile/describe-hostile.ts';
import { hostileCases } from './hostile/hostile-cases.ts';

/** Of more than 400: all of them have their own process in `npm run bench -- project-hostile`. */
const EVERY = 8;

describeHostileProjects('hostile projects, one after the other in one process', hostileCases.length);

describeHostileProcesses(
  'levada project validate, in its own process',
  hostileCases.filter((_, at) => at % EVERY === 0),
);
