// All words of the dashboard in nl.
import access from './access.ts';
import shell from './shell.ts';

export default { ...access, ...shell };
