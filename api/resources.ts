// Every resource's routes, alphabetical. The server mounts them under /api/v1.
import type { App } from './app.ts';
import { registerAuth } from './auth/routes.ts';
import type { ApiContext } from './context.ts';

export const resources: ReadonlyArray<(app: App, context: ApiContext) => void> = [registerAuth];
