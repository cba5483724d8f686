// Chooses whose request is begun next. Most requests are one piece of work that nothing interrupts, and whatever has
// arrived meanwhile would be worked on before the process looks at its sockets again: a hundred lists that one client
// asks for at once are half a second in which nobody else is heard. So one request is begun in each turn of the event
// loop, the networks in turn.
import type { FastifyRequest } from 'fastify';
import { FairQueue } from '../../db/shared/fair-queue.ts';
import { sourceNetwork } from '../../db/shared/source-network.ts';
import type { App } from '../frame/app.ts';

type Begin = () => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when it is the request's turn again: after a wait that many requests share, all would go on at once. */
    turnOf(request: FastifyRequest): Promise<void>;
  }
}

/** Registered before every other hook: what those cost waits too. */
export function beginFairly(app: App): void {
  const inTurn = turns();
  app.addHook('onRequest', (request, _reply, done) => {
    inTurn(request, () => {
      if (!request.raw.destroyed) done();
    });
  });
  app.decorate('turnOf', (request) => new Promise((resolve) => inTurn(request, resolve)));
}

/** Calls one of what it was given in each turn of the event loop, the first at once. */
function turns(): (request: FastifyRequest, begin: Begin) => void {
  // A monitor's question costs next to nothing. It waits for one request at most, however many networks bring some;
  // and a flood of such questions has every other turn.
  const monitors = new FairQueue<Begin>();
  const others = new FairQueue<Begin>();
  let isMonitors = true;
  let isTaken = false;
  const next = (): void => {
    const [first, second] = isMonitors ? [monitors, others] : [others, monitors];
    const begin = first.take() ?? second.take();
    isMonitors = !isMonitors;
    isTaken = begin !== undefined;
    if (begin === undefined) return;
    setImmediate(next);
    begin();
  };
  return ({ ip, routeOptions }, begin) => {
    if (isTaken) return (routeOptions.url === '/healthz' ? monitors : others).add(sourceNetwork(ip), begin);
    isTaken = true;
    setImmediate(next);
    begin();
  };
}
