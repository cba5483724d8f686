// All words of the dashboard in pt.
import access from './access.ts';
import shell from './shell.ts';

export default { ...access, ...shell };
