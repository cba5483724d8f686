// A path that exists, asked by a method that it does not have, is 405 with the methods that it has (RFC 9110 15.5.6).

import type { App } from '../frame/app.ts';
import { refused } from '../frame/errors.ts';

/** Must be registered before the routes. */
export function registerMethods(app: App): void {
  const routes = new Map<string, { segments: readonly string[]; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const known = routes.get(url) ?? { segments: url.split('/'), methods: new Set<string>() };
    for (const each of [method].flat()) known.methods.add(each);
    routes.set(url, known);
  });
  const allowed = (path: string): string[] => {
    const segments = path.split('/');
    const fitting = [...routes.values()].filter((route) => fits(segments, route.segments));
    // `/documents/search` is a path of its own, although an id could be "search".
    const names = (route: { segments: readonly string[] }) =>
      route.segments.filter((part) => part.startsWith(':')).length;
    const fewest = Math.min(...fitting.map(names));
    return fitting.flatMap((route) => (names(route) === fewest ? [...route.methods] : [])).sort();
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?', 1);
    const methods = allowed(path);
    if (methods.length === 0) return;
    reply.header('allow', methods.join(', '));
    throw refused('METHOD_NOT_ALLOWED', `${request.method} is not a method of this path: ${methods.join(', ')}`);
  });
}

function fits(segments: readonly string[], pattern: readonly string[]): boolean {
  return (
    segments.length === pattern.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}
