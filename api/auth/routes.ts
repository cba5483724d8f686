// Authentication routes; thin, the rules are in the services.
import type { App } from '../app.ts';
import type { ApiContext } from '../context.ts';

export function registerAuth(_app: App, _context: ApiContext): void {}
