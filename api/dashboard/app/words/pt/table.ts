// All words of the dashboard in Portuguese, which are loaded at once.
import access from './access.ts';
import calls from './calls.ts';
import outcomes from './outcomes.ts';
import overview from './overview.ts';
import shell from './shell.ts';

export default { ...access, ...calls, ...outcomes, ...overview, ...shell };
