// All words of the dashboard in it.
import access from './access.ts';
import shell from './shell.ts';

export default { ...access, ...shell };
